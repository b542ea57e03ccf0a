import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { SignalEnd } from './ends.ts'
import { EMPTY, isSame } from './fingerprint.ts'
import type { LedgerStores } from './ledger-stores.ts'
import { readRecordedIds, readRecordedParts } from './recorded.ts'
import { readStoredIds, readStoredParts } from './stored.ts'

/** Ids that one store has under an end and the other has not: the first few of them. */
export interface StoreDifference {
  readonly end: SignalEnd
  readonly only_in_postgres: readonly string[]
  readonly only_in_clickhouse: readonly string[]
}

const EXAMPLES = 10
/** A part is one 4096th of a set. Of one with more ids, which takes 20 million in a workspace, only so many are compared. */
const IDS_OF_A_PART = 5000

/** Where the sets of an end differ. Both are cut into parts, and only parts that differ are looked into, one at a time. */
export const findStoreDifferences = async (
  { read, analytics }: LedgerStores,
  workspaceId: WorkspaceId,
  end: SignalEnd,
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
    onlyInPostgres.push(...difference(storedIds, recordedIds))
    onlyInClickHouse.push(...difference(recordedIds, storedIds))
  }
  return {
    end,
    only_in_postgres: onlyInPostgres.slice(0, EXAMPLES),
    only_in_clickhouse: onlyInClickHouse.slice(0, EXAMPLES),
  }
}

const difference = (ids: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others)
  return ids.filter(id => !known.has(id))
}
