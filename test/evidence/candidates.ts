import { CLAIM_KIND } from '../../model/claims/claim-kind.ts'
import { findCandidates } from '../../model/claims/find-candidates.ts'
import { readBitsOf } from '../../model/neighbours/stored-bits.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'
import type { Stored, StoredSignal } from './stored.ts'

/** How many of the first candidates a true duplicate must be among. */
export const FIRST = 10
const NEAREST = 20
const AT_ONCE = 50

/** Which part of the product finds them: all of it, the words alone, or the vectors alone. */
export type Part = 'product' | 'words' | 'vectors'

/** For each stored signal its candidates, the best first, each with all that it stands for: its claim's evidence and their repeats. */
export type Candidates = ReadonlyMap<SignalId, readonly ReadonlySet<SignalId>[]>

/** The candidates that the cluster step would look at now that everything is stored. A signal that starts no claim has none. */
export const candidatesOf = async (
  pipeline: Pipeline,
  workspaceId: WorkspaceId,
  stored: Stored,
  asked: readonly StoredSignal[],
  part: Part,
): Promise<Candidates> => {
  const { database, neighbours, embedder } = pipeline
  const space = { workspaceId, model: embedder.model }
  const repeatsOf = Map.groupBy(stored.repeats, repeat => repeat.of)
  const withRepeats = (id: SignalId) => new Set([id, ...(repeatsOf.get(id) ?? []).map(repeat => repeat.id)])
  const found = new Map<SignalId, readonly ReadonlySet<SignalId>[]>()
  await neighbours.warm(database, [space])
  for (let begin = 0; begin < asked.length; begin += AT_ONCE) {
    const some = asked.slice(begin, begin + AT_ONCE)
    const ids = some.map(({ id }) => id)
    await database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, async transaction => {
      const bits = await readBitsOf(transaction, ids, embedder.model)
      const near = some.map(({ id }, index) => {
        const own = bits[index] ?? null
        const nearest = own === null ? [] : neighbours.nearest(space, own, NEAREST)
        return nearest.map(({ signalId }) => signalId).filter(signalId => signalId !== id)
      })
      if (part === 'vectors') {
        for (const [index, id] of ids.entries()) found.set(id, (near[index] ?? []).slice(0, FIRST).map(withRepeats))
        return
      }
      const probes = some.flatMap(({ id, label }, index) => {
        const kind = CLAIM_KIND[label]
        if (kind === null) return []
        return [{ id, kind, model: embedder.model, near: part === 'words' ? [] : (near[index] ?? []) }]
      })
      for (const [id, candidates] of await findCandidates(transaction, probes, FIRST)) {
        const standsFor = candidates.map(({ signalId, claimId }) => {
          const behind = claimId === null ? undefined : stored.behind.get(claimId)
          return new Set([...withRepeats(signalId), ...(behind ?? [])])
        })
        found.set(id, standsFor)
      }
    })
  }
  return found
}
