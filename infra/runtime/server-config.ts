import type { ConfigSchema } from './config.ts'
import { optional, port, text } from './settings.ts'

/** Where a program listens. Programs beside each other on one machine need ports of their own, hence a default for each. */
export const serverConfig = (defaultPort: number) =>
  ({
    host: text({ env: 'HOST', default: '127.0.0.1', doc: 'Address to listen on; 0.0.0.0 for every interface.' }),
    port: port({ env: 'PORT', default: defaultPort, doc: 'Port to listen on.' }),
  }) satisfies ConfigSchema

/** Of the programs in one process, whose one port is the public's. */
export const METRICS_CONFIG = {
  metricsHost: text({
    env: 'METRICS_HOST',
    default: '127.0.0.1',
    doc: 'Address that `/metrics` is answered on.',
  }),
  metricsPort: optional(
    port({
      env: 'METRICS_PORT',
      doc: 'Port that `/metrics` is answered on. Unless set there are no metrics: the public port never has them.',
    }),
  ),
} satisfies ConfigSchema

/** Of programs that count by client address. */
export const PROXY_CONFIG = {
  clientAddressHeader: optional(
    text({
      env: 'CLIENT_ADDRESS_HEADER',
      doc: 'Header in which a proxy in front says who the client is, such as x-forwarded-for; its last address counts. Only set it when every request comes through that proxy.',
    }),
  ),
} satisfies ConfigSchema
