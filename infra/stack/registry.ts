import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, type EngineOptions, HOST } from './engine.ts'
import { createDaemon } from './process.ts'
import { cachedDownload, requireJava, run } from './tools.ts'

/** The version of io.apicurio:apicurio-registry-app on Maven Central. Newer ones need Java 21. */
const REGISTRY_VERSION = '3.0.9'

const ANSWER_TIMEOUT_MS = 5_000

/**
 * Apicurio Registry from Maven Central, with Confluent's API. Keeps its schemas in a file beside the broker's data:
 * records refer to its ids, so that both must live and go together.
 */
export const createRegistry = ({ cache, directory, config }: EngineOptions): Engine => {
  const { registryPort: port } = config
  const home = join(directory, 'registry')
  const name = `registry-${REGISTRY_VERSION}`
  const url = `http://${HOST}:${port}/apis/ccompat/v7`
  const daemon = createDaemon({ directory, name: 'registry' })

  return {
    name: 'registry',
    variables: { SCHEMA_REGISTRY_URL: url },
    ports: { STACK_REGISTRY_PORT: port },
    daemon,
    async install() {
      await requireJava()
      await cachedDownload(cache, name, async target => {
        const artifact = `-Dartifact=io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`
        await run('mvn', ['-B', '-q', 'dependency:copy', artifact, `-DoutputDirectory=${target}`], { cwd: target })
        const archive = join(target, `apicurio-registry-app-${REGISTRY_VERSION}-all.tar.gz`)
        await run('tar', ['-xzf', archive, '-C', target])
        await rm(archive)
      })
    },
    async start() {
      await mkdir(home, { recursive: true })
      const properties = {
        'java.io.tmpdir': home,
        'quarkus.http.host': HOST,
        'quarkus.http.port': port,
        'quarkus.http.access-log.enabled': false,
        'apicurio.storage.kind': 'sql',
        'apicurio.storage.sql.kind': 'h2',
        'apicurio.datasource.url': `jdbc:h2:file:${join(home, 'schemas')}`,
      }
      await daemon.start({
        command: 'java',
        parameters: [
          '-Xmx256m',
          '-XX:TieredStopAtLevel=1',
          ...Object.entries(properties).map(([property, value]) => `-D${property}=${value}`),
          '-jar',
          join(cache, name, `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`),
        ],
      })
    },
    /** Sets Confluent's default, which Apicurio lacks: shows that the registry reads and writes. */
    async ready() {
      const response = await fetch(`${url}/config`, {
        method: 'PUT',
        headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
        body: JSON.stringify({ compatibility: 'BACKWARD' }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      if (!response.ok) throw new Error(`The registry answers ${response.status}.`)
    },
  }
}
