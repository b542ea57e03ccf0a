import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cachedDownload } from './downloads.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { countBrokers } from './kafka-metadata.ts'
import { HOST } from './ports.ts'
import { createDaemon } from './process.ts'
import { requireJava, run } from './tools.ts'

/** The logging binding that fits the broker's slf4j-api. */
const SLF4J_VERSION = '1.7.36'
/** The quick compiler alone: within minutes the thorough one takes more of the processor than its code gives back. */
const QUICK_COMPILER = '-XX:TieredStopAtLevel=1'
/** Any id will do (16 bytes in base64url), as long as it stays with the data. */
const CLUSTER_ID = 'assay-stack-cluster-AA'

const project = (version: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>assay</groupId>
  <artifactId>stack</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>${SLF4J_VERSION}</version></dependency>
  </dependencies>
</project>
`

const serverProperties = (data: string, port: number, controllerPort: number): string =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@${HOST}:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://${HOST}:${port},CONTROLLER://${HOST}:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${HOST}:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    // A mistyped topic must be an error, not a topic with the wrong partitions and retention.
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 8,
    'group.initial.rebalance.delay.ms': 0,
    // So that tests need not wait long until a dead consumer is noticed.
    'group.min.session.timeout.ms': 3000,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Apache Kafka from Maven Central: one node, broker and controller at once (KRaft). */
export const createKafka = ({ cache, directory, config, shortLived = false }: EngineOptions): Engine => {
  const { kafkaVersion: version, kafkaPort: port, kafkaControllerPort: controllerPort } = config
  const home = join(directory, 'kafka')
  const data = join(home, 'data')
  const propertiesFile = join(home, 'server.properties')
  const name = `kafka-${version}`
  const classes = ['-cp', join(cache, name, 'lib', '*'), '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
  const daemon = createDaemon({ directory, name: 'kafka' })

  /** A formatted and empty data directory, made once: a Java runtime of its own for two small files takes seconds. */
  const formatted = (): Promise<string> =>
    cachedDownload(cache, `${name}-formatted-${digestOf(serverProperties('', 0, 0))}`, async target => {
      const properties = join(target, 'server.properties')
      await writeFile(properties, serverProperties(join(target, 'data'), port, controllerPort))
      const format = ['format', '-t', CLUSTER_ID, '-c', properties]
      await run('java', [QUICK_COMPILER, ...classes, 'kafka.tools.StorageTool', ...format])
    })

  const prepare = async () => {
    await mkdir(home, { recursive: true })
    await writeFile(propertiesFile, serverProperties(data, port, controllerPort))
    if (existsSync(join(data, 'meta.properties'))) return
    await cp(join(await formatted(), 'data'), data, { recursive: true })
  }

  return {
    name: 'kafka',
    variables: { KAFKA_BROKERS: `${HOST}:${port}` },
    ports: { STACK_KAFKA_PORT: port, STACK_KAFKA_CONTROLLER_PORT: controllerPort },
    daemon,
    async install() {
      await requireJava()
      await cachedDownload(cache, name, async target => {
        await writeFile(join(target, 'pom.xml'), project(version))
        const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
        await run('mvn', ['-B', '-q', ...copy], { cwd: target })
      })
    },
    async start() {
      await prepare()
      await daemon.start({
        command: 'java',
        parameters: [
          ...(shortLived ? [QUICK_COMPILER] : []),
          '-Xms128m',
          '-Xmx512m',
          ...classes,
          'kafka.Kafka',
          propertiesFile,
        ],
      })
    },
    async ready() {
      if ((await countBrokers(HOST, port)) === 0) throw new Error('The broker has not joined its cluster yet.')
    },
  }
}
