import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { optional, port, text } from '../runtime/settings.ts'

/** Ports and directories of the stack. Everything listens on 127.0.0.1 only. */
export const STACK_CONFIG = {
  cache: text({ env: 'STACK_CACHE_DIR', default: '.cache/stack', doc: 'Where downloads are kept.' }),
  directory: text({
    env: 'STACK_DIR',
    default: '.data/stack',
    doc: 'Where the engines keep data, log files and process files until the stack is taken down.',
  }),
  password: optional(
    text({
      env: 'STACK_PASSWORD',
      secret: true,
      doc: 'The password of the user "assay" in PostgreSQL and ClickHouse; a random one unless set.',
    }),
  ),
  kafkaPort: port({ env: 'STACK_KAFKA_PORT', default: 9092, doc: 'The broker’s port.' }),
  kafkaControllerPort: port({ env: 'STACK_KAFKA_CONTROLLER_PORT', default: 9093, doc: 'The KRaft controller’s port.' }),
  registryPort: port({ env: 'STACK_REGISTRY_PORT', default: 8081, doc: 'The schema registry’s port.' }),
  postgresPort: port({ env: 'STACK_POSTGRES_PORT', default: 5432, doc: 'PostgreSQL’s port.' }),
  clickhousePort: port({
    env: 'STACK_CLICKHOUSE_PORT',
    default: 8123,
    doc: 'The port of ClickHouse’s HTTP interface. Its version is that of the package chdb.',
  }),
  valkeyPort: port({ env: 'STACK_VALKEY_PORT', default: 6379, doc: 'Valkey’s port.' }),
  prometheusPort: port({ env: 'STACK_PROMETHEUS_PORT', default: 9090, doc: 'Prometheus’ port, with `--watch`.' }),
} satisfies ConfigSchema

export type StackConfig = ConfigOf<typeof STACK_CONFIG>
