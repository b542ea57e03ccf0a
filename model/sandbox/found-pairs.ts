import { differingBits, signBits } from '../../infra/vector-index/sign-bits.ts'
import { cosine } from '../../infra/vectors.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { findNear, NEAREST, type NearSignal, vectorsShare } from '../claims/near-signals.ts'
import { OTHERS } from '../merges/chance/chance.ts'
import { weighCandidates } from '../merges/propose-merges.ts'

/** A text of the sample data as it came, the oldest first. */
export interface Said {
  readonly text: string
  readonly occurredAt: Date
  /** The claim that it is evidence of; null where there is none. */
  readonly claim: string | null
}

/** Two claims, as this installation finds them to be alike. */
export interface FoundPair {
  readonly claim: string
  readonly candidate: string
  readonly score: number
  readonly similarity: number
  readonly chance: number
  readonly isByMeaning: boolean
}

const WORKSPACE = 'sample' as WorkspaceId
// A text's place stands for the id of its signal.
const idOf = (place: number): SignalId => String(place) as SignalId

/**
 * The pairs of claims that the pipeline would see if the texts came one after the other, with the installation's
 * vectors and without a judge: each pair once, as its likeliest two signals have it, the likeliest pair first.
 */
export const foundPairs = (
  said: readonly Said[],
  { model, vectors }: { readonly model: string; readonly vectors: readonly Float32Array[] },
): readonly FoundPair[] => {
  const index = createWordIndex()
  const words = {
    nearestTo: (_: WorkspaceId, id: SignalId, count: number) =>
      index.nearestTo(Number(id), count).map(compared => ({ signalId: idOf(compared.key), compared })),
    compare: (_: WorkspaceId, id: SignalId, others: readonly SignalId[]) =>
      index.compare(Number(id), others.map(Number)),
  }
  const bits = vectors.map(signBits)
  const found = new Map<string, FoundPair>()
  for (const [place, { text, occurredAt, claim }] of said.entries()) {
    index.add(termsOf(text))
    const [own, ownBits] = [vectors[place], bits[place]]
    if (claim === null || own === undefined || ownBits === undefined) continue
    const near = bits
      .slice(0, place)
      .map((other, at) => ({ signalId: idOf(at), distance: differingBits(ownBits, other) }))
      .toSorted((one, other) => one.distance - other.distance)
      .slice(0, NEAREST)
    const measured = (one: NearSignal) => {
      const other = Number(one.signalId)
      const similarity = cosine(own, vectors[other] ?? own)
      const score = one.score + vectorsShare(model) * similarity
      const { occurredAt: at = occurredAt, claim: of = null } = said[other] ?? {}
      // Nobody in the sample wrote a series of reports.
      return { ...one, similarity, score, occurredAt: at, mayBeSeries: false, claim: of }
    }
    const candidates = findNear(
      words,
      { workspaceId: WORKSPACE, id: idOf(place), model, near },
      id => Number(id) < place,
    )
      .map(measured)
      .toSorted((one, other) => other.score - one.score)
      // Of a claim the best one.
      .filter(({ claim: of }, at, all) => of === null || all.findIndex(other => other.claim === of) === at)
      .slice(0, OTHERS)
    for (const one of weighCandidates(
      { occurredAt, model },
      candidates,
      ({ claim: of }) => of !== null && of !== claim,
    )) {
      const candidate = one.claim ?? claim
      const name = [claim, candidate].toSorted().join(' ')
      if ((found.get(name)?.chance ?? 0) >= one.chance) continue
      const { score, similarity, chance, isByMeaning } = one
      found.set(name, { claim, candidate, score, similarity, chance, isByMeaning })
    }
  }
  return [...found.values()].toSorted((one, other) => other.chance - one.chance)
}
