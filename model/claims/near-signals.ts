import { knownModel } from '../../infra/models/calibration.ts'
import { SIGN_WORDS } from '../../infra/vector-index/port.ts'
import type { WordComparison } from '../../infra/word-index/port.ts'
import { GREATEST_LIKENESS, likeness } from '../../infra/word-index/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Words } from '../words/words.ts'

/** How many of the nearest by their vectors are looked at, and of the nearest by words. */
export const NEAREST = 50
const NEAREST_BY_WORDS = 20
/** What is farther by its vector than so many, and not among the nearest by words, is not looked at any more. */
const NEAREST_BY_VECTOR_ALONE = 30
/** Of these together so many are measured exactly, and of either kind of nearest the first few in any case. */
const MEASURED = 25
const FIRST_FEW = 6

/**
 * What the vectors count beside the words, learned with `likeness`. Scores are from 0 to 1, and can be compared between
 * signals.
 */
const VECTORS = 0.15

interface Shares {
  /** What a likeness by words adds to a score. */
  readonly wordsScore: (likeness: number) => number
  /** What a cosine of 1 adds to it. */
  readonly vectors: number
}

const sharesOf = (model: string): Shares => {
  const { counts: vectors, unrelatedWords } = knownModel(model) ?? { counts: VECTORS, unrelatedWords: 0 }
  const total = GREATEST_LIKENESS - unrelatedWords + vectors
  return { wordsScore: likeness => Math.max(0, likeness - unrelatedWords) / total, vectors: vectors / total }
}

/** What a cosine of 1 adds to a score; more where the model is known to see meaning. */
export const vectorsShare = (model: string): number => sharesOf(model).vectors

/** A signal that memory finds near another one. */
export interface NearSignal {
  readonly signalId: SignalId
  /** Cosines by words; null where the words of one of the two are not held. */
  readonly compared: WordComparison | null
  /** From 1; null for one that is not among the nearest of the kind. */
  readonly wordsRank: number | null
  /** By how many sign bits differ. */
  readonly bitsRank: number | null
  /** The score without what the exact cosine adds. */
  readonly score: number
}

interface Near {
  readonly signalId: SignalId
  /** Differing sign bits. */
  readonly distance: number
}

const SIGNS = SIGN_WORDS * 32
/** The angle between two vectors is, on average, this share of half a turn (Charikar 2002). */
const cosineOf = (distance: number): number => Math.cos((Math.PI * distance) / SIGNS)

/**
 * The signals that are worth a look in the database: the best by words and vectors together, as far as memory tells.
 */
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
  // What is not among the nearest is farther than all of them.
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
