import { knownModel } from '../../infra/models/calibration.ts'
import { SIGN_WORDS } from '../../infra/vector-index/port.ts'
import type { WordComparison } from '../../infra/word-index/port.ts'
import { GREATEST_LIKENESS, likeness } from '../../infra/word-index/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Words } from '../words/words.ts'

/** Nearest signals by vectors, and by words, that are looked at. */
export const NEAREST = 50
const NEAREST_BY_WORDS = 20
/** Signals beyond this rank by vector, and not among the nearest by words, are dropped. */
const NEAREST_BY_VECTOR_ALONE = 30
/** Signals that are measured exactly; the first few of either order are always among them. */
const MEASURED = 25
const FIRST_FEW = 6

/**
 * Weight of the vectors beside the words, learned with `likeness`. Scores are from 0 to 1 and comparable between
 * signals.
 */
const VECTORS = 0.15

interface Shares {
  /** Addition of a likeness by words to the score. */
  readonly wordsScore: (likeness: number) => number
  /** Addition of a cosine of 1 to the score. */
  readonly vectors: number
}

const sharesOf = (model: string): Shares => {
  const { counts: vectors, unrelatedWords } = knownModel(model) ?? { counts: VECTORS, unrelatedWords: 0 }
  const total = GREATEST_LIKENESS - unrelatedWords + vectors
  return { wordsScore: likeness => Math.max(0, likeness - unrelatedWords) / total, vectors: vectors / total }
}

/** Addition of a cosine of 1 to a score; higher for models that are known to see meaning. */
export const vectorsShare = (model: string): number => sharesOf(model).vectors

/** A near signal from memory. */
export interface NearSignal {
  readonly signalId: SignalId
  /** Cosines by words; null when the words of one of the two are not in memory. */
  readonly compared: WordComparison | null
  /** From 1; null beyond the nearest by words. */
  readonly wordsRank: number | null
  /** Rank by differing sign bits. */
  readonly bitsRank: number | null
  /** The score without the addition of the exact cosine. */
  readonly score: number
}

interface Near {
  readonly signalId: SignalId
  /** Differing sign bits. */
  readonly distance: number
}

const SIGNS = SIGN_WORDS * 32
/** The angle of two vectors is on average this part of half a turn (Charikar 2002). */
const cosineOf = (distance: number): number => Math.cos((Math.PI * distance) / SIGNS)

/** Signals to measure in the database: the best by words and vectors together, as far as memory knows. */
export const findNear = (
  words: Pick<Words, 'nearestTo' | 'compare'>,
  {
    workspaceId,
    id,
    model,
    near,
  }: {
    readonly workspaceId: WorkspaceId
    readonly id: SignalId
    readonly model: string
    readonly near: readonly Near[]
  },
  isLooked: (signalId: SignalId) => boolean,
): readonly NearSignal[] => {
  const byWords = words.nearestTo(workspaceId, id, NEAREST_BY_WORDS).filter(({ signalId }) => isLooked(signalId))
  const byBits = near.filter(({ signalId }) => isLooked(signalId))
  const bitsRanks = new Map<SignalId, number>()
  byBits.forEach(({ signalId }, place) => {
    bitsRanks.set(signalId, place + 1)
  })
  // Signals beyond the nearest are farther than all of these.
  const farthest = byBits.at(-1)?.distance ?? SIGNS / 2

  const areByWords = new Set(byWords.map(({ signalId }) => signalId))
  const byVectorAlone = byBits
    .slice(0, NEAREST_BY_VECTOR_ALONE)
    .map(({ signalId }) => signalId)
    .filter(signalId => !areByWords.has(signalId))
  const comparedAlone = words.compare(workspaceId, id, byVectorAlone)
  const shares = sharesOf(model)
  const looked = (signalId: SignalId, compared: WordComparison | null, wordsRank: number | null) => {
    const score = compared === null ? 0 : shares.wordsScore(likeness(compared))
    const bitsRank = bitsRanks.get(signalId) ?? null
    const distance = bitsRank === null ? farthest : (byBits[bitsRank - 1]?.distance ?? farthest)
    const expected = score + shares.vectors * cosineOf(distance)
    return { signalId, compared, wordsRank, bitsRank, score, expected }
  }
  const signals = [
    ...byWords.map(({ signalId, compared }, place) => looked(signalId, compared, place + 1)),
    ...byVectorAlone.map((signalId, place) => looked(signalId, comparedAlone[place] ?? null, null)),
  ]
  const best = signals.toSorted((one, other) => other.expected - one.expected)
  const isFirst = ({ wordsRank, bitsRank }: NearSignal) => isAmongFirst(wordsRank) || isAmongFirst(bitsRank)
  return [...best.filter(isFirst), ...best.filter(one => !isFirst(one))].slice(0, MEASURED)
}

const isAmongFirst = (rank: number | null): boolean => rank !== null && rank <= FIRST_FEW
