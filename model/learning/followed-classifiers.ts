import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { readClassifiers, readRevisions, type StoredClassifier } from './stored-classifier.ts'

/** What is stored is asked for again after so long: a switch, or another fit, is followed within that. */
const FRESH_MS = 3000
/** As many are kept in memory, the last used ones; each has up to half a megabyte. */
const MAX_KEPT = 64

/** What each of some workspaces has taught; those that have taught nothing are absent. */
export type FollowClassifiers = (
  workspaceIds: readonly WorkspaceId[],
) => Promise<ReadonlyMap<WorkspaceId, StoredClassifier>>

interface Kept {
  readonly askedAt: number
  readonly stored: StoredClassifier | null
}

/** Keeps what workspaces have taught in memory, and follows what is stored, beside the classifier of this version. */
export const followClassifiers = (
  database: Database,
  beside: string,
  now: () => number = Date.now,
): FollowClassifiers => {
  const kept = new Map<WorkspaceId, Kept>()

  const refresh = (workspaceIds: readonly WorkspaceId[]): Promise<void> =>
    database.transaction({ role: 'assay_pipeline', workspaceIds }, async transaction => {
      const revisions = await readRevisions(transaction, workspaceIds, beside)
      const others = [...revisions].flatMap(([id, revision]) =>
        kept.get(id)?.stored?.revision === revision ? [] : [id],
      )
      const read = others.length === 0 ? new Map() : await readClassifiers(transaction, others)
      const askedAt = now()
      for (const id of workspaceIds) {
        const stored = revisions.has(id) ? (read.get(id) ?? kept.get(id)?.stored ?? null) : null
        kept.delete(id)
        kept.set(id, { askedAt, stored })
      }
    })

  return async workspaceIds => {
    const asked = [...new Set(workspaceIds)]
    const oldest = now() - FRESH_MS
    const old = asked.filter(id => (kept.get(id)?.askedAt ?? Number.NEGATIVE_INFINITY) <= oldest)
    if (old.length > 0) await refresh(old)
    const found = asked.flatMap(id => {
      const stored = kept.get(id)?.stored ?? null
      return stored === null ? [] : [[id, stored] as const]
    })
    for (const id of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(id)
    }
    return new Map(found)
  }
}
