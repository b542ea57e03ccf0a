import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Log } from '../../infra/log/port.ts'
import type { Database } from '../../infra/postgres/port.ts'
import { counted, plural } from '../../schemas/domain/for-people.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Ledger, readLedgers, totalOf, type WorkspaceLedger } from './ledger.ts'

/**
 * `balanced`: received equals ended, with the same ids in both stores, nothing twice. `in_progress`: some signals have
 * not ended. `unbalanced`: the ledger will never balance by itself.
 */
export type Verdict = 'balanced' | 'in_progress' | 'unbalanced'

/** Faults that no pending work can repair. */
const brokenIn = (ledger: WorkspaceLedger): readonly string[] => [
  ...(ledger.ended_twice > 0
    ? [
        `${counted(ledger.ended_twice, 'id')} ${plural(ledger.ended_twice, 'is', 'are')} a signal and an occurrence at once`,
      ]
    : []),
  ...(ledger.misplaced > 0
    ? [
        `${counted(ledger.misplaced, 'piece')} of evidence ${plural(ledger.misplaced, 'hangs', 'hang')} on a claim that was merged away`,
      ]
    : []),
  ...(ledger.recorded_twice > 0
    ? [
        `${counted(ledger.recorded_twice, 'event')} ${plural(ledger.recorded_twice, 'is', 'are')} in ClickHouse more than once`,
      ]
    : []),
  ...(ledger.without_receipt > 0
    ? [
        `${counted(ledger.without_receipt, 'signal')} ended and ${plural(ledger.without_receipt, 'has', 'have')} no receipt`,
      ]
    : []),
]

/** States that are normal while signals are in the pipeline, and faults when none is. */
const openIn = (ledger: WorkspaceLedger): readonly string[] => [
  ...(ledger.erasing > 0
    ? [`${counted(ledger.erasing, 'signal')} ${plural(ledger.erasing, 'is', 'are')} being erased`]
    : []),
  ...(ledger.stranded > 0
    ? [
        `${counted(ledger.stranded, 'problem or idea', 'problems or ideas')} ${plural(ledger.stranded, 'is', 'are')} evidence of no claim`,
      ]
    : []),
  ...(ledger.in_progress > 0
    ? [`${counted(ledger.in_progress, 'signal')} ${plural(ledger.in_progress, 'has', 'have')} come to no end`]
    : []),
  ...ledger.differences.map(({ end }) => {
    const { postgres, clickhouse } = ledger[end]
    return `${end}: ${postgres} in Postgres, ${clickhouse} in ClickHouse, not the same ids`
  }),
]

/** True when the counts differed and no different id is found any more: a new count will tell. */
const wasCaughtUp = ({ differences }: WorkspaceLedger): boolean =>
  differences.some(
    ({ only_in_postgres, only_in_clickhouse }) => only_in_postgres.length + only_in_clickhouse.length === 0,
  )

interface Balance {
  readonly verdict: Verdict
  /** Reasons why the ledgers do not balance, each with its workspace. */
  readonly reasons: readonly string[]
}

/**
 * Judges ledgers. `isIdle` is true when nothing waits on the log, so that open accounts are faults; null when the log
 * cannot be read, so that open accounts count as in progress. `waiting` records on the log are in no store yet: nothing
 * balances before they have ended.
 */
export const balanceOf = (ledgers: readonly WorkspaceLedger[], isIdle: boolean | null, waiting = 0): Balance => {
  const problems = (says: (ledger: WorkspaceLedger) => readonly string[]): readonly string[] =>
    ledgers.flatMap(ledger => says(ledger).map(what => `${ledger.workspace_id}: ${what}`))
  const broken = problems(brokenIn)
  const open = [
    ...problems(openIn),
    ...(waiting > 0 ? [`${counted(waiting, 'record')} ${plural(waiting, 'waits', 'wait')} on the log`] : []),
  ]
  const reasons = [...broken, ...open]
  if (reasons.length === 0) return { verdict: 'balanced', reasons }
  const isWorkedOn = isIdle !== true || ledgers.some(ledger => ledger.erasing > 0 || wasCaughtUp(ledger))
  return { verdict: broken.length === 0 && isWorkedOn ? 'in_progress' : 'unbalanced', reasons }
}

interface NamedWorkspace {
  readonly id: WorkspaceId
  readonly slug: string
}

const NEXT_PAGE = `select id, slug from workspaces where $1::uuid is null or id > $1 order by id limit $2`

/** Every workspace of the installation, page by page. */
async function* readWorkspaces(
  database: Database,
  pageSize: number,
): AsyncGenerator<readonly NamedWorkspace[], void, undefined> {
  for (let last: WorkspaceId | null = null; ; ) {
    const page: readonly NamedWorkspace[] = await database.transaction({ role: 'assay_accounts' }, transaction =>
      transaction.query<NamedWorkspace>(NEXT_PAGE, [last, pageSize]),
    )
    if (page.length > 0) yield page
    const newest = page.at(-1)
    if (newest === undefined || page.length < pageSize) return
    last = newest.id
  }
}

/** Positions of the pipeline's consumer groups. */
interface LogState {
  /** Unprocessed records; a record that two groups read counts twice. */
  readonly waiting: number
  /** All records that were ever written to their topics. */
  readonly written: number
}

const readLogState = async (log: Pick<Log, 'lag'>, groups: readonly string[]): Promise<LogState> => {
  const places = (await Promise.all(groups.map(group => log.lag(group)))).flat()
  return {
    waiting: places.reduce((sum, { committed, highWatermark }) => sum + highWatermark - committed, 0),
    written: places.reduce((sum, { highWatermark }) => sum + highWatermark, 0),
  }
}

/**
 * True when nothing waited and nothing was written between two looks: the stores, read in between, will not change by
 * themselves.
 */
const wasIdle = (before: LogState, after: LogState): boolean =>
  before.waiting === 0 && after.waiting === 0 && before.written === after.written

/** Ledgers of every workspace, with their sum and verdict. */
export interface InstallationLedger extends Balance {
  /** Records on the log after the stores were read; null when the log was not read. */
  readonly waiting_on_the_log: number | null
  readonly total: Ledger
  /** Workspaces with signals. */
  readonly workspaces: readonly (WorkspaceLedger & { readonly slug: string })[]
}

interface Installation {
  readonly database: Database
  readonly analytics: Analytics
  /** The log with the pipeline's consumer groups; null when the log cannot be read. */
  readonly log: { readonly log: Pick<Log, 'lag'>; readonly groups: readonly string[] } | null
}

const WORKSPACES_A_PAGE = 50

/** Reads the ledger of an installation, with or without running programs. */
export const readInstallationLedger = async ({
  database,
  analytics,
  log,
}: Installation): Promise<InstallationLedger> => {
  const look = () => (log === null ? null : readLogState(log.log, log.groups))
  const before = await look()
  const workspaces: InstallationLedger['workspaces'][number][] = []
  for await (const page of readWorkspaces(database, WORKSPACES_A_PAGE)) {
    const ledgers = await readLedgers(
      {
        read: (workspaceIds, work) => database.transaction({ role: 'assay_pipeline', workspaceIds }, work),
        analytics,
      },
      page.map(({ id }) => id),
    )
    for (const [index, ledger] of ledgers.entries()) {
      const slug = page[index]?.slug
      if (slug !== undefined && !isEmpty(ledger)) workspaces.push({ ...ledger, slug })
    }
  }
  const after = await look()
  const isIdle = before === null || after === null ? null : wasIdle(before, after)
  const waiting = after?.waiting ?? null
  return {
    ...balanceOf(workspaces, isIdle, waiting ?? 0),
    waiting_on_the_log: waiting,
    total: totalOf(workspaces),
    workspaces,
  }
}

const isEmpty = ({ received, in_progress, inserted, occurrences, dead, recorded_twice }: Ledger): boolean =>
  [inserted, occurrences, dead].every(({ postgres, clickhouse }) => postgres + clickhouse === 0) &&
  received + in_progress + recorded_twice === 0
