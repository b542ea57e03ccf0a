import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Engine, type EngineOptions, HOST } from './engine.ts'
import { createDaemon } from './process.ts'
import { cachedDownload, requireJava, run } from './tools.ts'

/** The version of org.apache.kafka:kafka_2.13 on Maven Central. */
const KAFKA_VERSION = '4.3.1'

/** The logging binding for the broker's slf4j-api. */
const SLF4J_VERSION = '1.7.36'
/** Only the quick JIT compiler: in a run of minutes the thorough one costs more CPU than it saves. */
const QUICK_COMPILER = '-XX:TieredStopAtLevel=1'
/** Any id (16 bytes in base64url) that stays with the data. */
const CLUSTER_ID = 'assay-stack-cluster-AA'

const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>assay</groupId>
  <artifactId>stack</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
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
    // A mistyped topic must be an error, not a topic with wrong partitions and retention.
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 8,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 8,
    'group.initial.rebalance.delay.ms': 0,
    // Tests should notice a dead consumer soon.
    'group.min.session.timeout.ms': 3000,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Apache Kafka from Maven Central: one node as broker and controller (KRaft). */
export const createKafka = ({ cache, directory, config, shortLived = false }: EngineOptions): Engine => {
  const { kafkaPort: port, kafkaControllerPort: controllerPort } = config
  const home = join(directory, 'kafka')
  const data = join(home, 'data')
  const propertiesFile = join(home, 'server.properties')
  const name = `kafka-${KAFKA_VERSION}`
  const classes = ['-cp', join(cache, name, 'lib', '*'), '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
  const daemon = createDaemon({ directory, name: 'kafka' })

  /** A formatted, empty data directory, made once: formatting needs a Java runtime, which takes seconds. */
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
        await writeFile(join(target, 'pom.xml'), project)
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

const METADATA = 3
const VERSION = 1
const TIMEOUT_MS = 2_000

/** A Metadata request for no topics: api key, version, correlation id, null client id, empty array. */
const request = (): Buffer => {
  const bytes = Buffer.alloc(18)
  bytes.writeInt32BE(14, 0)
  bytes.writeInt16BE(METADATA, 4)
  bytes.writeInt16BE(VERSION, 6)
  bytes.writeInt32BE(1, 8)
  bytes.writeInt16BE(-1, 12)
  bytes.writeInt32BE(0, 14)
  return bytes
}

/**
 * The number of brokers that a broker knows, including itself once it serves clients. Uses Kafka's protocol
 * (https://kafka.apache.org/protocol#The_Messages_Metadata) directly, since only the log's adapter may use the client
 * library. Rejects while nobody answers.
 */
export const countBrokers = async (host: string, port: number): Promise<number> => {
  const socket = connect({ host, port, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error('The broker does not answer.')))
  try {
    await once(socket, 'connect')
    socket.write(request())
    let answer = Buffer.alloc(0)
    for await (const chunk of socket) {
      answer = Buffer.concat([answer, chunk])
      // Size, correlation id, then the length of the array of brokers.
      if (answer.length >= 12) return answer.readInt32BE(8)
    }
    throw new Error('The broker closed the connection.')
  } finally {
    socket.destroy()
  }
}
