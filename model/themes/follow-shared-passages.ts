import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { readSharedPassagesOf, type SharedPassages } from './shared-passages.ts'

/** Time after which a workspace's passages are read again. */
const FRESH_MS = 3_000
/** Workspaces that are remembered; the one that was read first is forgotten first. */
const MAX_KNOWN = 1_000

/** Shared passages of each workspace, at most three seconds old. Workspaces without themes are missing. */
export type FollowSharedPassages = (
  workspaceIds: readonly WorkspaceId[],
) => Promise<ReadonlyMap<WorkspaceId, SharedPassages>>

/** Keeps the shared passages of the workspaces in use in memory. */
export const followSharedPassages = (database: Database, now: () => number = Date.now): FollowSharedPassages => {
  const known = new Map<WorkspaceId, { readonly readAt: number; readonly shared: SharedPassages | undefined }>()
  return async workspaceIds => {
    const distinctIds = [...new Set(workspaceIds)]
    const oldest = now() - FRESH_MS
    const old = distinctIds.filter(id => (known.get(id)?.readAt ?? Number.NEGATIVE_INFINITY) <= oldest)
    if (old.length > 0) {
      const scope = { role: 'assay_pipeline', workspaceIds: old } as const
      const read = await database.transaction(scope, transaction => readSharedPassagesOf(transaction, old))
      const readAt = now()
      for (const id of old) {
        known.delete(id)
        known.set(id, { readAt, shared: read.get(id) })
      }
    }
    const found = distinctIds.flatMap(id => {
      const shared = known.get(id)?.shared
      return shared === undefined ? [] : [[id, shared] as const]
    })
    for (const id of known.keys()) if (known.size > MAX_KNOWN) known.delete(id)
    return new Map(found)
  }
}
