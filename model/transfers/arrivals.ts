import type { Transaction } from '../../infra/postgres/port.ts'
import type { TransferId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { CLAIM_KIND } from '../claims/start-claims.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'

/** How far the signals of an import are on their way through the pipeline. */
export interface Arrival {
  /** How many the import sent so far. */
  readonly brought: number
  /** Of these, how many are where the pipeline ends for them. */
  readonly arrived: number
  /** Of the others, how many wait as dead letters. */
  readonly dead: number
  /** Of those that arrived, how many repeat other signals; null where an earlier version imported them. */
  readonly repeats: number | null
  readonly arrived_at: Date | null
}

/** An import of signals of which some may be on their way. The index of `transfers` has it in the same words. */
export const IS_ARRIVING = `(transfers.direction = 'import' and transfers.format <> 'workspace'
  and transfers.job_id is not null and transfers.arrived_at is null and transfers.taken_back_at is null)`

const ARRIVING = `select id, workspace_id from transfers where ${IS_ARRIVING} order by created_at limit 100`

interface ArrivingImport {
  readonly id: TransferId
  readonly workspace_id: WorkspaceId
}

/** The imports of all workspaces of which some signals may be on their way, the oldest first. */
export const arrivingImports = (transaction: Transaction): Promise<readonly ArrivingImport[]> =>
  transaction.query<ArrivingImport>(ARRIVING)

// Whoever else counts it leaves it to this one.
const LOCK = `
  select jobs.state <> 'running' as is_sent from transfers join jobs on jobs.id = transfers.job_id
  where transfers.id = $1 and ${IS_ARRIVING} for update of transfers skip locked`

const NEEDS = Object.entries(CLAIM_KIND).flatMap(([label, kind]) => (kind === null ? [] : `'${label}'`))

const IS_REPEAT = `exists (select from occurrences where occurrences.id = imported_rows.signal_id)`

/** The last step gives a need its claim; what is none ends with its row, and a repeat with its original. */
const IS_THERE = `(
  is_repeat or exists (
    select from signals where signals.id = imported_rows.signal_id and (
      ${SPEAKS_AS} not in (${NEEDS.join(', ')})
      or exists (
        select from claim_evidence
        where claim_evidence.workspace_id = signals.workspace_id and claim_evidence.signal_id = signals.id))))`

const IS_DEAD = `
  exists (select from dead_letters where dead_letters.signal_id = imported_rows.signal_id and state <> 'replayed')`

const COUNT = `
  select count(*)::integer as brought, count(*) filter (where is_there)::integer as arrived,
    count(*) filter (where not is_there and is_dead)::integer as dead,
    count(*) filter (where is_repeat)::integer as repeats
  from imported_rows
    cross join lateral (select ${IS_REPEAT} as is_repeat offset 0) as repeat
    cross join lateral (select ${IS_THERE} as is_there offset 0) as place
    cross join lateral (select not is_there and ${IS_DEAD} as is_dead offset 0) as death
  where workspace_id = $1 and transfer_id = $2`

const KEEP = `
  update transfers set brought = $2, arrived = $3, dead = $4, repeats = $5,
    arrived_at = case when $6 then now() end
  where id = $1`

/** Counts where the signals of an import are, and keeps it. Needs to be called until the last one has arrived. */
export const countArrived = async (transaction: Transaction, { id, workspace_id }: ArrivingImport): Promise<void> => {
  const [found] = await transaction.query<{ is_sent: boolean }>(LOCK, [id])
  if (found === undefined) return
  const [counted] = await transaction.query<Omit<Arrival, 'arrived_at'>>(COUNT, [workspace_id, id])
  if (counted === undefined) throw new Error('The statement answers a row.')
  const { brought, arrived, dead, repeats } = counted
  await transaction.query(KEEP, [id, brought, arrived, dead, repeats, found.is_sent && arrived + dead >= brought])
}
