import type { Database } from '../../../infra/postgres/port.ts'
import { type AssayError, asAssayError, codeOf, isAssayError } from '../../../infra/runtime/errors.ts'
import type { Outage } from '../../../infra/runtime/health.ts'
import { withDeadline } from '../../../infra/runtime/promises.ts'
import { type MailTrouble, mailTrouble } from '../../../model/mail/outgoing-mail.ts'
import { type ReadReports, readReports } from '../../../model/pipeline/processor-report.ts'

export const DEPENDENCIES = [
  'database',
  'analytics',
  'log',
  'registry',
  'processors',
  'embedder',
  'judge',
  'mail',
] as const
export type DependencyName = (typeof DEPENDENCIES)[number]

/** `unknown` means that the source of the state is away itself. */
export const DEPENDENCY_STATES = ['answers', 'away', 'not_configured', 'unknown'] as const

export interface DependencyState {
  readonly name: DependencyName
  readonly state: (typeof DEPENDENCY_STATES)[number]
  /** Start of the outage, milliseconds since the epoch; null when it was not observed. */
  readonly since: number | null
  /** Message of the dependency or of its client; empty while it answers. */
  readonly reason: string
  /** Functions that do not work meanwhile, and those that do; empty while it answers. */
  readonly effect: string
}

export interface Dependencies {
  /** State of each dependency, by this process and the processors' reports. Never rejects. */
  read(): Promise<readonly DependencyState[]>
}

/** Each check rejects when its dependency does not answer this process or does not work. */
export type StoreChecks = Readonly<
  Record<'database' | 'analytics' | 'log' | 'registry' | 'embedder', () => Promise<void>>
>
type Checked = keyof StoreChecks

const EFFECTS: Readonly<Record<DependencyName, string>> = {
  database: 'Nothing can be read or decided until it is back. What senders send is kept on the log.',
  analytics: 'Figures and analysis are missing. Signals go on, and their activity is kept on the log.',
  log: 'Senders are told to come back, and nothing goes through the pipeline.',
  registry: 'Programs that start now wait for it. Running programs go on with the schemas that they know.',
  processors: 'What senders send is accepted and kept on the log. It goes on by itself.',
  embedder: 'Signals wait for it before they are stored, and go on by themselves. Nothing is found by meaning.',
  judge: 'Signals are in Triage as usual. What they have in common is found once it is back.',
  mail: 'Mails wait, and are sent by themselves. An invitation’s link can be copied meanwhile.',
}

/** A store that takes longer counts as away. */
const TIMEOUT_MS = 2000

interface Options {
  readonly checks: StoreChecks
  readonly database: Database
  /** True when this installation has a mail server. */
  readonly sendsMail: boolean
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Dependencies of the service. Regular calls record since when a dependency has been away. */
export const createDependencies = ({ checks, database, sendsMail, now }: Options): Dependencies => {
  const outages = new Map<Checked, Outage>()

  const look = async (name: Checked): Promise<Outage | null> => {
    try {
      await withDeadline(checks[name](), TIMEOUT_MS, 'An answer')
      outages.delete(name)
      return null
    } catch (error) {
      const outage = { since: outages.get(name)?.since ?? now(), reason: asAssayError(error).publicMessage }
      outages.set(name, outage)
      return outage
    }
  }

  const reportsIfAny = async () => {
    try {
      return await database.transaction({ role: 'assay_accounts', isDivisible: true }, async transaction => ({
        ofProcessors: await readReports(transaction),
        ofMail: sendsMail ? await mailTrouble(transaction) : undefined,
      }))
    } catch {
      // The database's own check has the reason.
      return null
    }
  }

  const mailState = (trouble: MailTrouble | undefined): DependencyState =>
    sendsMail
      ? stateOf('mail', trouble === undefined ? null : { since: trouble.since.getTime(), reason: trouble.reason })
      : { ...stateOf('mail', null), state: 'not_configured' }

  return {
    read: async () => {
      const [inDatabase, analytics, log, registry, embedder, reports] = await Promise.all([
        look('database'),
        look('analytics'),
        look('log'),
        look('registry'),
        look('embedder'),
        reportsIfAny(),
      ])
      const stores = [
        stateOf('database', inDatabase),
        stateOf('analytics', analytics),
        stateOf('log', log),
        stateOf('registry', registry),
      ]
      if (reports === null) {
        return [
          ...stores,
          unknown('processors'),
          embedder ? stateOf('embedder', embedder) : unknown('embedder'),
          unknown('judge'),
          sendsMail ? unknown('mail') : mailState(undefined),
        ]
      }
      const models = modelsStates(reports.ofProcessors, embedder)
      const processors = processorsState(reports.ofProcessors)
      // A segment that waits for a known outage adds nothing.
      const explained = [...stores, ...models].some(({ reason }) => reason !== '' && processors.reason.endsWith(reason))
      return [...stores, explained ? stateOf('processors', null) : processors, ...models, mailState(reports.ofMail)]
    },
  }
}

type Away = Omit<Outage, 'since'> & { readonly since: number | null }

const stateOf = (name: DependencyName, away: Away | null): DependencyState => ({
  name,
  state: away === null ? 'answers' : 'away',
  since: away?.since ?? null,
  reason: away?.reason ?? '',
  effect: away === null ? '' : EFFECTS[name],
})

const unknown = (name: DependencyName): DependencyState => ({ ...stateOf(name, null), state: 'unknown' })

const processorsState = ({ reports, last_at }: ReadReports): DependencyState => {
  if (reports.length === 0) {
    return stateOf('processors', {
      since: last_at?.getTime() ?? null,
      reason: 'No process of the pipeline has reported lately.',
    })
  }
  const groups = reports.flatMap(({ segments, queues }) => [
    ...segments.flatMap(({ head, lanes }) => lanes.map(lane => ({ ...lane, name: head }))),
    ...queues.map(queue => ({ ...queue, name: queue.group })),
  ])
  const halted = groups.find(({ state }) => state === 'waiting') ?? groups.find(({ state }) => state === 'stuck')
  if (halted === undefined) return stateOf('processors', null)
  const { name, state, reason, oldest_at: since } = halted
  const stuck = `${name} stands still, and does not say why.`
  return stateOf('processors', { since, reason: state === 'stuck' ? stuck : `${name} waits: ${reason}` })
}

const modelsStates = ({ reports }: ReadReports, embedderHere: Outage | null): readonly DependencyState[] => {
  const awayOf = (away: Outage | null | undefined) => away ?? null
  const embedder = reports.map(report => awayOf(report.embedder.away)).find(away => away !== null)
  const judge = reports.map(report => awayOf(report.judge?.away)).find(away => away !== null)
  const withJudge = reports.length === 0 || reports.some(report => report.judge !== null)
  return [
    stateOf('embedder', embedder ?? embedderHere),
    withJudge ? stateOf('judge', judge ?? null) : { ...stateOf('judge', null), state: 'not_configured' },
  ]
}

/** disk_full (PostgreSQL manual, appendix A). */
const DISK_FULL = '53100'

interface WatchedDisk {
  /** The same database; its disk-full errors are noted. */
  readonly database: Database
  /** For code that always writes: each success clears the noted error. */
  readonly writing: (database: Database) => Database
  /** Rejects while the disk is full. */
  readonly assertRoom: () => Promise<void>
}

/** Detects a database with a full disk: it can still be read, so a query does not show it. */
export const watchFullDisk = (watched: Database): WatchedDisk => {
  let full: AssayError | null = null
  return {
    database: {
      ...watched,
      transaction: async (scope, work) => {
        try {
          return await watched.transaction(scope, work)
        } catch (error) {
          if (isAssayError(error) && codeOf(error.cause) === DISK_FULL) full = error
          throw error
        }
      },
    },
    writing: database => ({
      ...database,
      transaction: async (scope, work) => {
        const result = await database.transaction(scope, work)
        full = null
        return result
      },
    }),
    assertRoom: async () => {
      if (full !== null) throw full
    },
  }
}
