import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { NO_CHANGED_PLACES, readChangedPlaces } from './changed-places.ts'
import { added, EMPTY, isSame, SIGNAL_ENDS, type SignalEnd, without } from './fingerprint.ts'
import type { LedgerStores } from './ledger-stores.ts'
import { NOTHING_RECORDED, type RecordedSignals, readRecorded, readRecordedIds, readRecordedParts } from './recorded.ts'
import { readStored, readStoredIds, readStoredParts, type StoredSignals } from './stored.ts'

/** Ids of an end that only one store has: the first few that still differ. */
interface StoreDifference {
  readonly end: SignalEnd
  readonly only_in_postgres: readonly string[]
  readonly only_in_clickhouse: readonly string[]
}

const EXAMPLES = 10
/**
 * Ids that are compared in a part, which is one 4096th of a set. Only a workspace with 20 million signals has larger
 * parts.
 */
const IDS_OF_A_PART = 5000

/** The differing ids of an end. Both sets are split into parts, and only parts that differ are read, one at a time. */
const findStoreDifferences = async (
  { read, analytics }: LedgerStores,
  workspaceId: WorkspaceId,
  end: SignalEnd,
  explained: ReadonlySet<string>,
): Promise<StoreDifference> => {
  const recorded = await readRecordedParts(analytics, workspaceId, end)
  const stored = await read([workspaceId], transaction => readStoredParts(transaction, workspaceId, end))
  const parts = [...new Set([...stored.keys(), ...recorded.keys()])].sort()
  const onlyInPostgres: string[] = []
  const onlyInClickHouse: string[] = []
  for (const part of parts) {
    if (onlyInPostgres.length + onlyInClickHouse.length >= EXAMPLES) break
    if (isSame(stored.get(part) ?? EMPTY, recorded.get(part) ?? EMPTY)) continue
    const recordedIds = await readRecordedIds(analytics, workspaceId, end, part, IDS_OF_A_PART)
    const storedIds = await read([workspaceId], transaction =>
      readStoredIds(transaction, workspaceId, end, part, IDS_OF_A_PART),
    )
    for (const id of difference(storedIds, recordedIds, explained)) onlyInPostgres.push(id)
    for (const id of difference(recordedIds, storedIds, explained)) onlyInClickHouse.push(id)
  }
  return {
    end,
    only_in_postgres: onlyInPostgres.slice(0, EXAMPLES),
    only_in_clickhouse: onlyInClickHouse.slice(0, EXAMPLES),
  }
}

const difference = (
  ids: readonly string[],
  others: readonly string[],
  explained: ReadonlySet<string>,
): readonly string[] => {
  const known = new Set(others)
  return ids.filter(id => !known.has(id) && !explained.has(id))
}

/** Distinct ids in each store. */
export interface StoreCounts {
  readonly postgres: number
  readonly clickhouse: number
}

type Counts = Readonly<Record<SignalEnd, StoreCounts>> &
  Omit<StoredSignals, 'ended'> &
  Omit<RecordedSignals, 'ended' | 'oldest_in_progress_at'>

/** The account of signals, each counted once by its id: receipts and ends. */
export interface Ledger extends Counts {
  readonly oldest_in_progress_at: string | null
  /** Originals that became repeats of their repeat after a restore. */
  readonly changed_places: number
}

export interface WorkspaceLedger extends Ledger {
  readonly workspace_id: WorkspaceId
  /** An entry for each end whose ids differ between the stores. */
  readonly differences: readonly StoreDifference[]
}

/**
 * Ledgers of workspaces, in the given order. Both stores count by themselves, and ids are compared by sums: single ids
 * are read only when the stores differ. Signals in the pipeline may be in one store only.
 */
export const readLedgers = async (
  stores: LedgerStores,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly WorkspaceLedger[]> => {
  // ClickHouse follows Postgres and is read first, so that work in between shows as stored and not yet recorded, never
  // the other way round.
  const recorded = await readRecorded(stores.analytics, workspaceIds)
  const stored = await stores.read(workspaceIds, transaction => readStored(transaction, workspaceIds))
  const ledgers: WorkspaceLedger[] = []
  for (const workspaceId of workspaceIds) {
    const one = stored.get(workspaceId)
    if (one === undefined) throw new Error('The statement answers a row for each workspace.')
    ledgers.push(await ledgerOf(stores, workspaceId, one, recorded.get(workspaceId) ?? NOTHING_RECORDED))
  }
  return ledgers
}

const ledgerOf = async (
  stores: LedgerStores,
  workspaceId: WorkspaceId,
  { ended: stored, ...figures }: StoredSignals,
  { ended: told, received, erased, ...events }: RecordedSignals,
): Promise<WorkspaceLedger> => {
  const mayHaveChanged = (['inserted', 'occurrences'] as const).every(end => !isSame(stored[end], told[end]))
  const { ids: changed, fingerprint } = mayHaveChanged
    ? await readChangedPlaces(stores, workspaceId)
    : NO_CHANGED_PLACES
  const recorded = {
    ...told,
    inserted: without(told.inserted, fingerprint),
    occurrences: added(told.occurrences, fingerprint),
  }
  const differences: StoreDifference[] = []
  for (const end of SIGNAL_ENDS) {
    if (isSame(stored[end], recorded[end])) continue
    // Has no ids when one store has caught up since: the counts beside it are older.
    differences.push(await findStoreDifferences(stores, workspaceId, end, changed))
  }
  const inBoth = (end: SignalEnd): StoreCounts => ({ postgres: stored[end].ids, clickhouse: recorded[end].ids })
  return {
    workspace_id: workspaceId,
    inserted: inBoth('inserted'),
    occurrences: inBoth('occurrences'),
    dead: inBoth('dead'),
    ...figures,
    ...events,
    // ClickHouse has no receipts of erased signals any more.
    received: received + figures.erased,
    erased: erased + figures.erased,
    changed_places: changed.size,
    differences,
  }
}

const add = (one: StoreCounts, other: StoreCounts): StoreCounts => ({
  postgres: one.postgres + other.postgres,
  clickhouse: one.clickhouse + other.clickhouse,
})

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other < one) ? other : one

const addLedgers = (one: Ledger, other: Ledger): Ledger => ({
  received: one.received + other.received,
  inserted: add(one.inserted, other.inserted),
  occurrences: add(one.occurrences, other.occurrences),
  dead: add(one.dead, other.dead),
  dead_waiting: one.dead_waiting + other.dead_waiting,
  dead_replayed: one.dead_replayed + other.dead_replayed,
  dead_discarded: one.dead_discarded + other.dead_discarded,
  erased: one.erased + other.erased,
  erasing: one.erasing + other.erasing,
  in_progress: one.in_progress + other.in_progress,
  oldest_in_progress_at: earlier(one.oldest_in_progress_at, other.oldest_in_progress_at),
  ended_twice: one.ended_twice + other.ended_twice,
  misplaced: one.misplaced + other.misplaced,
  stranded: one.stranded + other.stranded,
  recorded_twice: one.recorded_twice + other.recorded_twice,
  without_receipt: one.without_receipt + other.without_receipt,
  changed_places: one.changed_places + other.changed_places,
})

const NOTHING: StoreCounts = { postgres: 0, clickhouse: 0 }

const NO_LEDGER: Ledger = {
  received: 0,
  inserted: NOTHING,
  occurrences: NOTHING,
  dead: NOTHING,
  dead_waiting: 0,
  dead_replayed: 0,
  dead_discarded: 0,
  erased: 0,
  erasing: 0,
  in_progress: 0,
  oldest_in_progress_at: null,
  ended_twice: 0,
  misplaced: 0,
  stranded: 0,
  recorded_twice: 0,
  without_receipt: 0,
  changed_places: 0,
}

export const totalOf = (ledgers: readonly Ledger[]): Ledger => ledgers.reduce(addLedgers, NO_LEDGER)
