import { findCandidates } from '../../model/claims/find-candidates.ts'
import { NEAREST } from '../../model/claims/near-signals.ts'
import { readBitsOf } from '../../model/neighbours/stored-bits.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'
import type { Stored, StoredSignal } from './stored.ts'

/** How many of the first candidates a true duplicate must be among. */
export const FIRST = 10

/** Which part of the product finds them: all of it, the words alone, or the vectors alone. */
export type Part = 'product' | 'words' | 'vectors'

/**
 * For each stored signal its candidates, the best first, each with all that it stands for: its claim's evidence and
 * their repeats.
 */
export type Candidates = ReadonlyMap<SignalId, readonly ReadonlySet<SignalId>[]>

/**
 * What finds candidates, now that everything is stored. Each signal is asked for alone, since of a batch the later ones
 * are left to find the earlier ones.
 */
export const candidatesOf = async (
  pipeline: Pipeline,
  workspaceId: WorkspaceId,
  stored: Stored,
  asked: readonly StoredSignal[],
  part: Part,
): Promise<Candidates> => {
  const { database, neighbours, words, embedder } = pipeline
  const space = { workspaceId, model: embedder.model }
  const repeatsOf = Map.groupBy(stored.repeats, repeat => repeat.of)
  const withRepeats = (id: SignalId) => new Set([id, ...(repeatsOf.get(id) ?? []).map(repeat => repeat.id)])
  await neighbours.warm(database, [space])
  await words.warm(database, [workspaceId])
  const found = new Map<SignalId, readonly ReadonlySet<SignalId>[]>()
  await database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction => {
    await neighbours.refresh(transaction, [space])
    await words.refresh(transaction, [workspaceId])
    for (const { id, number } of asked) {
      const [bits = null] = await readBitsOf(transaction, [id], embedder.model)
      const near = bits === null ? [] : neighbours.nearest(space, bits, NEAREST)
      if (part === 'product') {
        const probe = { id, workspaceId, number, model: embedder.model, near }
        const candidates = (await findCandidates(transaction, words, [probe])).get(id) ?? []
        const behindOf = (claimId: (typeof candidates)[number]['claimId']) =>
          claimId === null ? [] : (stored.behind.get(claimId) ?? [])
        found.set(
          id,
          candidates.map(one => new Set([...withRepeats(one.signalId), ...behindOf(one.claimId)])),
        )
      } else {
        const nearest = part === 'vectors' ? near : words.nearestTo(workspaceId, id, FIRST)
        const others = nearest.map(({ signalId }) => signalId).filter(signalId => signalId !== id)
        found.set(id, others.slice(0, FIRST).map(withRepeats))
      }
    }
  })
  return found
}
