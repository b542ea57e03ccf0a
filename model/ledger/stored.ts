import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { MISPLACED, STRANDED } from '../diagnosis/stranded-evidence.ts'
import { type EndColumns, type Fingerprint, fingerprintsOf, POSTGRES, type SignalEnd } from './fingerprint.ts'

/** Postgres' figures of a workspace's signals. */
export interface StoredSignals {
  readonly ended: Readonly<Record<SignalEnd, Fingerprint>>
  /** Dead signals by their letters: waiting if one waits, else replayed if one was replayed, else discarded. */
  readonly dead_waiting: number
  readonly dead_replayed: number
  readonly dead_discarded: number
  /** Ids that are a signal and an occurrence. */
  readonly ended_twice: number
  /** Evidence and Solutions' links on claims that were merged into others. */
  readonly misplaced: number
  /** Signals that lost their claim. */
  readonly stranded: number
  /** Ids that erasures removed. */
  readonly erased: number
  /** Ids that a running erasure removes. */
  readonly erasing: number
}

/** Ids of the workspace `requested.id` with an end. A dead letter of a signal with a row does not count. */
const ENDED: Readonly<Record<SignalEnd, string>> = {
  inserted: 'select signals.id from signals where signals.workspace_id = requested.id',
  // A marked repeat ended as a signal.
  occurrences: `select occurrences.id from occurrences where occurrences.workspace_id = requested.id and reason <> 'member'`,
  dead: `
    select dead_letters.signal_id as id, bool_or(state = 'waiting') as waiting, bool_and(state = 'discarded') as discarded
    from dead_letters
    where dead_letters.workspace_id = requested.id
      and not exists (select from signals where signals.id = dead_letters.signal_id)
      and not exists (select from occurrences where occurrences.id = dead_letters.signal_id)
    group by dead_letters.signal_id`,
}

const fingerprintOf = (end: SignalEnd): string =>
  `select count(*) as ids, ${POSTGRES.sum('ended.id')} as sum from (${ENDED[end]}) as ended`

const FIGURES = `
  select
    requested.id as workspace_id,
    inserted.ids as inserted_ids, inserted.sum as inserted_sum,
    occurrences.ids as occurrences_ids, occurrences.sum as occurrences_sum,
    dead.ids as dead_ids, dead.sum as dead_sum,
    letters.waiting as dead_waiting, letters.replayed as dead_replayed, letters.discarded as dead_discarded,
    twice.ids as ended_twice,
    (select count(*) from (${MISPLACED}) as misplaced) as misplaced,
    (select count(*) from (${STRANDED}) as stranded) as stranded,
    (select coalesce(sum(erased_signals), 0) from erasures where erasures.workspace_id = requested.id) as erased,
    (select count(*) from erasure_items where erasure_items.workspace_id = requested.id) as erasing
  from unnest($1::uuid[]) as requested (id)
  cross join lateral (${fingerprintOf('inserted')}) as inserted
  cross join lateral (${fingerprintOf('occurrences')}) as occurrences
  cross join lateral (${fingerprintOf('dead')}) as dead
  cross join lateral (
    select
      count(*) filter (where waiting) as waiting,
      count(*) filter (where not waiting and not discarded) as replayed,
      count(*) filter (where discarded) as discarded
    from (${ENDED.dead}) as ended
  ) as letters
  cross join lateral (
    select count(*) as ids from occurrences join signals on signals.id = occurrences.id
    where occurrences.workspace_id = requested.id and occurrences.reason <> 'member'
  ) as twice`

interface FiguresRow extends Omit<StoredSignals, 'ended'>, EndColumns {
  readonly workspace_id: WorkspaceId
}

/** Figures of each requested workspace. */
export const readStored = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, StoredSignals>> => {
  const rows = await transaction.query<FiguresRow>(FIGURES, [workspaceIds])
  return new Map(rows.map(row => [row.workspace_id, toStored(row)]))
}

const toStored = (row: FiguresRow): StoredSignals => ({
  ended: fingerprintsOf(row),
  dead_waiting: row.dead_waiting,
  dead_replayed: row.dead_replayed,
  dead_discarded: row.dead_discarded,
  ended_twice: row.ended_twice,
  misplaced: row.misplaced,
  stranded: row.stranded,
  erased: row.erased,
  erasing: row.erasing,
})

/** An end's set in parts, by the last digits of its ids. */
export const readStoredParts = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  end: SignalEnd,
): Promise<ReadonlyMap<string, Fingerprint>> => {
  const rows = await transaction.query<Fingerprint & { readonly part: string }>(
    `select ${POSTGRES.part('ended.id')} as part, count(*) as ids, ${POSTGRES.sum('ended.id')} as sum
     from unnest(array[$1::uuid]) as requested (id) cross join lateral (${ENDED[end]}) as ended
     group by part`,
    [workspaceId],
  )
  return new Map(rows.map(({ part, ids, sum }) => [part, { ids, sum }]))
}

/** Ids of one part of an end's set, in order. */
export const readStoredIds = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  end: SignalEnd,
  part: string,
  atMost: number,
): Promise<readonly string[]> => {
  const rows = await transaction.query<{ readonly id: string }>(
    `select ended.id from unnest(array[$1::uuid]) as requested (id) cross join lateral (${ENDED[end]}) as ended
     where ${POSTGRES.part('ended.id')} = $2
     order by ended.id limit $3`,
    [workspaceId, part, atMost],
  )
  return rows.map(({ id }) => id)
}
