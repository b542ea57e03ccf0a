import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KAFKA_CONFIG, kafkaConnection } from '../../infra/log/config.ts'
import { connectLog } from '../../infra/log/connect.ts'
import { startEmbeddedLog } from '../../infra/log/embedded/index.ts'
import type { Log, OutgoingRecord, SchemaRegistry } from '../../infra/log/port.ts'
import { createPool } from '../../infra/postgres/pool.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { openDataDirectory } from '../../infra/runtime/data-directory.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import { startStack } from '../../infra/stack/index.ts'
import { createCodecs } from '../../model/codecs.ts'
import { receivedRecord } from '../../model/signals/received-signals.ts'
import { newId, type SignalId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { receivedSignal } from '../../schemas/events/signal.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import { assay } from '../../test/support/assay.ts'
import { startInstallation } from '../../test/support/installation.ts'
import { type Person, signUp } from '../../test/support/person.ts'
import { createProgram, type RunningProgram } from '../../test/support/program.ts'
import { atPace, type Pace } from '../support/measuring.ts'
import { quotasFor } from '../support/subject.ts'

const logger = createLogger({ level: 'silent', program: 'bench' })

type Environment = Readonly<Record<string, string>>

/**
 * An installation whose pipeline is measured: signals are put into its log while nothing reads them, and then worked
 * off.
 */
interface PipelineSubject {
  readonly name: string
  createWorkspaces(count: number): Promise<readonly WorkspaceId[]>
  /** Works on the log while no processor runs. */
  withLog<T>(work: (log: Log, registry: SchemaRegistry) => Promise<T>): Promise<T>
  /** Starts the processors; answers the addresses of their `/metrics`. */
  start(environments: readonly Environment[]): Promise<readonly string[]>
  /** Stops the processors. */
  stop(): Promise<void>
  remove(): Promise<void>
}

export interface EnginesSubject extends PipelineSubject {
  readonly databaseUrl: string
  readonly clickhouseUrl: string
  /** Where the engines keep their process files. */
  readonly directory: string
  /** The processors that run. */
  processors(): readonly RunningProgram[]
  /** Starts one beside those that run. */
  add(): Promise<RunningProgram>
  /** Does something while the pipeline's first step is paused; the processors go on within two seconds of its end. */
  whilePaused(work: () => Promise<void>): Promise<void>
}

/** On Kafka, PostgreSQL and ClickHouse, with one processor for each environment. */
export const startEngines = async (environment: Environment = {}): Promise<EnginesSubject> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'], directory })
  const shared = { ...stack.urls, INSTALLATION_KEY: randomBytes(32).toString('base64'), ...environment }
  const { code, stderr } = await assay(['migrate'], shared)
  if (code !== 0) throw new Error(`assay migrate ended with code ${code}:\n${stderr}`)
  const databaseUrl = String(stack.urls.DATABASE_URL)
  let running: readonly RunningProgram[] = []
  const stop = async () => {
    await Promise.all(running.map(program => program.stop()))
    running = []
  }
  const startAll = async (environments: readonly Environment[]): Promise<readonly RunningProgram[]> => {
    const started = await Promise.all(environments.map(own => createProgram(['processors'], { ...shared, ...own })))
    running = [...running, ...started]
    for (const program of started) program.start()
    await Promise.all(started.map(program => program.ready()))
    return started
  }
  return {
    name: 'processors on Kafka, PostgreSQL and ClickHouse',
    databaseUrl,
    clickhouseUrl: String(stack.urls.CLICKHOUSE_URL),
    directory,
    createWorkspaces: count => insertWorkspaces(databaseUrl, count),
    withLog: async work => {
      const { log, registry } = connectLog(kafkaConnection(parseConfig(KAFKA_CONFIG, stack.urls)), 'bench', logger)
      return work(log, registry).finally(() => log.close())
    },
    start: async environments => (await startAll(environments)).map(program => program.baseUrl),
    processors: () => running,
    async add() {
      const [program] = await startAll([{}])
      if (program === undefined) throw new TypeError('One was started.')
      return program
    },
    whilePaused: work => pausing(databaseUrl, work),
    stop,
    remove: async () => {
      await stop()
      await stack.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Processors look every second. */
const SEEN_AFTER_MS = 2500

const pausing = async (databaseUrl: string, work: () => Promise<void>): Promise<void> => {
  const pool = createPool({ connection: databaseUrl, max: 1, logger })
  await pool.query(`insert into paused_steps (step, reason, paused_by) values ('validate', 'Benchmark', 'Benchmark')`)
  await sleep(SEEN_AFTER_MS)
  await work()
  await pool.query(`delete from paused_steps where step = 'validate'`)
  await pool.end()
}

const insertWorkspaces = async (databaseUrl: string, count: number): Promise<readonly WorkspaceId[]> => {
  const pool = createPool({ connection: databaseUrl, max: 1, logger })
  const ids = Array.from({ length: count }, () => newId<WorkspaceId>())
  const tenantId = newId<TenantId>()
  await pool.query(`insert into tenants (id, name) values ($1, 'Benchmark')`, [tenantId])
  await pool.query(
    `insert into workspaces (id, tenant_id, slug, name) select id, $2, 'w-' || id, 'Load' from unnest($1::uuid[]) as id`,
    [ids, tenantId],
  )
  await pool.end()
  return ids
}

interface EmbeddedSubject extends PipelineSubject {
  /** Who owns the workspaces. */
  readonly person: Person
}

/** Everything in one process on the embedded stores. */
export const startEmbedded = async (workspaces: number): Promise<EmbeddedSubject> => {
  // Many people come from here, who are throttled by their address.
  const installation = await startInstallation({
    ...quotasFor(workspaces),
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
  })
  const person = await signUp(installation.baseUrl)
  return {
    name: 'one process, embedded stores',
    person,
    createWorkspaces: async count => {
      const ids: WorkspaceId[] = []
      for (let made = 0; made < count; made += 1) {
        ids.push((await person.call<{ id: WorkspaceId }>('create_workspace', { name: `Load ${made}` })).id)
      }
      return ids
    },
    withLog: async work => {
      const data = await openDataDirectory(installation.dataDirectory)
      data.contents.opening('log')
      const { log, stop } = await startEmbeddedLog({ directory: data.file('log') })
      return work(log, log.registry).finally(async () => {
        await stop()
        data.contents.closed('log')
        await data.release()
      })
    },
    start: async () => {
      await installation.start()
      return [installation.metricsUrl]
    },
    stop: async () => void (await installation.stop()),
    remove: installation.remove,
  }
}

const BATCH = 500

/** Puts signals of these texts into the log as the edge does, spread evenly over the workspaces. */
export const appendSignals = async (
  log: Log,
  registry: SchemaRegistry,
  workspaceIds: readonly WorkspaceId[],
  texts: readonly string[],
  lane: Lane = 'live',
): Promise<void> => {
  const { signalCodec } = createCodecs(registry)
  const tenantId = newId<TenantId>()
  for (let begin = 0; begin < texts.length; begin += BATCH) {
    const records = texts.slice(begin, begin + BATCH).map(async (text, offset): Promise<OutgoingRecord> => {
      const workspaceId = workspaceIds[(begin + offset) % workspaceIds.length]
      if (workspaceId === undefined) throw new TypeError('There is no workspace to send to.')
      const identity = {
        signal_id: newId<SignalId>(),
        tenant_id: tenantId,
        workspace_id: workspaceId,
        source_id: null,
        channel: 'webhook' as const,
        received_at: Date.now(),
      }
      const body = JSON.stringify({
        text,
        source: 'benchmark',
        actor_email: `person-${(begin + offset) % 997}@example.com`,
      })
      const signal = receivedSignal(identity, { format: 'signal', body })
      return receivedRecord(signalCodec, signal, formatTraceparent(newTrace()), () => lane)
    })
    await log.append(await Promise.all(records))
  }
}

type WithLog = Pick<PipelineSubject, 'withLog'>

/** Puts so many signals of such texts into the log, spread evenly over the workspaces. */
export const appendFeedback = (
  { withLog }: WithLog,
  workspaceIds: readonly WorkspaceId[],
  feedback: () => string,
  count: number,
): Promise<void> =>
  withLog((log, registry) => appendSignals(log, registry, workspaceIds, Array.from({ length: count }, feedback)))

/** The same at a constant rate; `workspacesOf` says whose the next `count` signals from the `from`-th on are. */
export const sendFeedback = (
  { withLog }: WithLog,
  pace: Pace,
  feedback: () => string,
  workspacesOf: (from: number, count: number) => readonly WorkspaceId[],
): Promise<void> =>
  withLog((log, registry) =>
    atPace(pace, (from, upTo) =>
      appendSignals(log, registry, workspacesOf(from, upTo - from), Array.from({ length: upTo - from }, feedback)),
    ),
  )
