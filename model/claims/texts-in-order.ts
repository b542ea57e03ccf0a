import { differingBits, signBits } from '../../infra/vector-index/sign-bits.ts'
import { cosine } from '../../infra/vectors.ts'
import type { WordComparison } from '../../infra/word-index/port.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { findNear, NEAREST, vectorsShare } from './near-signals.ts'

/** An earlier text, and its nearness. */
interface NearText {
  /** Position among all texts. */
  readonly place: number
  readonly compared: WordComparison | null
  /** Cosine of the two vectors. */
  readonly similarity: number
  /** Score by words and vectors, as for candidates. */
  readonly score: number
}

export interface TextsInOrder {
  /** Adds the next text. Its vector has the same position. */
  add(text: string): void
  /** Texts near the last added one, as the pipeline would find them, nearest first. */
  nearLast(): readonly NearText[]
}

const WORKSPACE = 'texts in order' as WorkspaceId
// The position is the id of the text's signal.
const idOf = (place: number): SignalId => String(place) as SignalId

/** Compares texts as the pipeline would if they came one after the other, in memory and with exact vectors. */
export const createTextsInOrder = ({
  model,
  vectors,
}: {
  readonly model: string
  readonly vectors: readonly Float32Array[]
}): TextsInOrder => {
  const index = createWordIndex()
  const words = {
    nearestTo: (_: WorkspaceId, id: SignalId, count: number) =>
      index.nearestTo(Number(id), count).map(compared => ({ signalId: idOf(compared.key), compared })),
    compare: (_: WorkspaceId, id: SignalId, others: readonly SignalId[]) =>
      index.compare(Number(id), others.map(Number)),
  }
  const bits = vectors.map(signBits)
  let last = -1
  return {
    add: text => {
      index.add(termsOf(text))
      last += 1
    },
    nearLast: () => {
      const [own, ownBits] = [vectors[last], bits[last]]
      if (own === undefined || ownBits === undefined) return []
      const near = bits
        .slice(0, last)
        .map((other, place) => ({ signalId: idOf(place), distance: differingBits(ownBits, other) }))
        .toSorted((one, other) => one.distance - other.distance)
        .slice(0, NEAREST)
      const probe = { workspaceId: WORKSPACE, id: idOf(last), model, near }
      return findNear(words, probe, id => Number(id) < last)
        .map(({ signalId, compared, score }) => {
          const place = Number(signalId)
          const similarity = cosine(own, vectors[place] ?? own)
          return { place, compared, similarity, score: score + vectorsShare(model) * similarity }
        })
        .toSorted((one, other) => other.score - one.score)
    },
  }
}
