import type { ConfigSchema } from './config.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'
import { INSTALLATION_KEY_BYTES, INSTALLATION_KEY_LENGTHS, type InstallationKey, withKeyBefore } from './secrets.ts'
import { choice, flag, headerName, optional, port, type Setting, text } from './settings.ts'

/** The settings of every program. */
export const PROGRAM_CONFIG = {
  logLevel: choice<LogLevel>({
    env: 'LOG_LEVEL',
    values: LOG_LEVELS,
    default: 'warn',
    doc: 'The least serious log lines that are written. They are JSON, on standard output.',
  }),
} satisfies ConfigSchema

/** Further settings of the embedded default. */
export const EMBEDDED_CONFIG = {
  dataDirectory: text({
    env: 'DATA_DIR',
    default: '.data',
    doc: 'Where the embedded log, database and analytics keep their data, and the key that seals secrets. One process at a time.',
  }),
} satisfies ConfigSchema

const installationKey: Setting<InstallationKey> = {
  env: 'INSTALLATION_KEY',
  doc: 'The key that seals the secrets of sources, signs sessions and keeps pseudonyms; the same for every program of an installation. Make one with `openssl rand -base64 32`, and keep a copy: without it nothing sealed can be read.',
  allowed: `${INSTALLATION_KEY_BYTES} bytes in base64 or base64url, or what \`assay key new\` has printed`,
  secret: true,
  parse: text => {
    const key = /^[\w+/-]+=*$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
    return INSTALLATION_KEY_LENGTHS.includes(key.length) ? key : undefined
  },
  write: () => '',
}

/** Settings of programs that seal or unseal. The embedded default keeps its key beside its data instead. */
export const KEY_CONFIG = {
  installationKey,
  previousInstallationKey: optional({
    ...installationKey,
    env: 'PREVIOUS_INSTALLATION_KEY',
    formerly: /^INSTALLATION_KEY_BEFORE$/,
    doc: 'The key that INSTALLATION_KEY takes the place of, until `assay key status` says that nothing is sealed with it any more. Everything is read with either, and sealed with INSTALLATION_KEY.',
  }),
  acceptNewKey: flag({
    env: 'ACCEPT_NEW_INSTALLATION_KEY',
    default: false,
    doc: 'Start with another key than the data was sealed with, once, when that one is lost for good: every source then needs a new secret, and everyone signs in again.',
  }),
} satisfies ConfigSchema

/** The key that a program works with: the key in force, combined with the previous one while both are used. */
export const keyOf = (config: {
  readonly installationKey: InstallationKey
  readonly previousInstallationKey: InstallationKey | null
}): InstallationKey => withKeyBefore(config.installationKey, config.previousInstallationKey)

/** Where a program listens. Each program has its own default port, so that several run on one machine. */
export const serverConfig = (defaultPort: number) =>
  ({
    host: text({ env: 'HOST', default: '127.0.0.1', doc: 'Address to listen on; 0.0.0.0 for every interface.' }),
    port: port({ env: 'PORT', default: defaultPort, doc: 'Port to listen on.' }),
  }) satisfies ConfigSchema

/** For several programs in one process, which share one public port. */
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

/** For programs that count by client address. */
export const PROXY_CONFIG = {
  clientAddressHeader: optional(
    headerName({
      env: 'CLIENT_ADDRESS_HEADER',
      doc: 'Header in which a proxy in front says who the client is, such as x-forwarded-for; its last address counts. Only set it when every request comes through that proxy. Behind a proxy without it all clients count as one address, and share its limits and a quarter of the edge’s memory for bodies that are not proven yet.',
    }),
  ),
} satisfies ConfigSchema
