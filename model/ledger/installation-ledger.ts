import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Log } from '../../infra/log/port.ts'
import type { Database } from '../../infra/postgres/port.ts'
import { type Balance, balanceOf } from './balance.ts'
import { type Ledger, readLedgers, totalOf, type WorkspaceLedger } from './ledger.ts'
import { readLogState, wasIdle } from './log-state.ts'
import { readWorkspaces } from './read-workspaces.ts'

/** The ledger of every workspace, and what they come to. */
export interface InstallationLedger extends Balance {
  /** Records that waited on the log when the stores had been read; null when the log was not looked at. */
  readonly waiting_on_the_log: number | null
  readonly total: Ledger
  /** Those that have signals at all. */
  readonly workspaces: readonly (WorkspaceLedger & { readonly slug: string })[]
}

interface Installation {
  readonly database: Database
  readonly analytics: Analytics
  /** The log and the pipeline's consumer groups on it; null when it cannot be asked. */
  readonly log: { readonly log: Pick<Log, 'lag'>; readonly groups: readonly string[] } | null
}

const WORKSPACES_A_PAGE = 50

/** Reads the ledger of an installation, whether its programs run or not. */
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
  return {
    ...balanceOf(workspaces, isIdle),
    waiting_on_the_log: after?.waiting ?? null,
    total: totalOf(workspaces),
    workspaces,
  }
}

const isEmpty = ({ received, in_progress, inserted, occurrences, dead, recorded_twice }: Ledger): boolean =>
  [inserted, occurrences, dead].every(({ postgres, clickhouse }) => postgres + clickhouse === 0) &&
  received + in_progress + recorded_twice === 0
