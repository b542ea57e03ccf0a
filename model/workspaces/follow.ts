import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** Time after which values are read again, so that a change takes effect. */
const FRESH_MS = 3_000
/** Workspaces that are remembered, last used first. Most have no value. */
const MAX_KNOWN = 1_000
/** Memory of all values together. */
const MAX_BYTES = 32 * 2 ** 20

/** A value of each workspace, at most three seconds old. Workspaces without one are missing. */
export type Follow<Value> = (workspaceIds: readonly WorkspaceId[]) => Promise<ReadonlyMap<WorkspaceId, Value>>

export interface Followed<Value> {
  /** Reads the values. `kept` is in memory already, for a value that needs no second reading. */
  read(
    transaction: Transaction,
    workspaceIds: readonly WorkspaceId[],
    kept: (id: WorkspaceId) => Value | undefined,
  ): Promise<ReadonlyMap<WorkspaceId, Value>>
  /** Memory that a value takes. */
  bytes(value: Value): number
}

interface Kept<Value> {
  readonly readAt: number
  readonly value: Value | undefined
}

/** Keeps a value of the workspaces in use in memory, and follows what is stored. */
export const followWorkspaces = <Value>(
  database: Database,
  { read, bytes }: Followed<Value>,
  now: () => number = Date.now,
): Follow<Value> => {
  const kept = new Map<WorkspaceId, Kept<Value>>()
  const bytesOf = ({ value }: Kept<Value>): number => (value === undefined ? 0 : bytes(value))

  const refresh = (workspaceIds: readonly WorkspaceId[]): Promise<void> =>
    database.transaction({ role: 'assay_pipeline', workspaceIds }, async transaction => {
      const values = await read(transaction, workspaceIds, id => kept.get(id)?.value)
      const readAt = now()
      for (const id of workspaceIds) kept.set(id, { readAt, value: values.get(id) })
    })

  const forgetLongestUnused = (): void => {
    let total = [...kept.values()].reduce((sum, each) => sum + bytesOf(each), 0)
    for (const [id, each] of kept) {
      const areTooMany = kept.size > MAX_KNOWN
      if (!areTooMany && total <= MAX_BYTES) break
      if (!areTooMany && each.value === undefined) continue
      kept.delete(id)
      total -= bytesOf(each)
    }
  }

  return async workspaceIds => {
    const distinctIds = [...new Set(workspaceIds)]
    const oldest = now() - FRESH_MS
    const isOld = (id: WorkspaceId) => (kept.get(id)?.readAt ?? Number.NEGATIVE_INFINITY) <= oldest
    // Refreshes all old entries at once: otherwise every batch of many workspaces would find an old one.
    if (distinctIds.some(isOld)) await refresh([...new Set([...distinctIds, ...kept.keys()])].filter(isOld))
    const found = distinctIds.flatMap(id => {
      const known = kept.get(id)
      if (known === undefined) return []
      kept.delete(id)
      kept.set(id, known)
      return known.value === undefined ? [] : [[id, known.value] as const]
    })
    forgetLongestUnused()
    return new Map(found)
  }
}
