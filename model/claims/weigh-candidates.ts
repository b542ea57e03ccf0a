import { READ_CHARACTERS } from '../../infra/word-index/terms.ts'
import { wordsOf } from '../../infra/word-index/words-of.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { chanceOf } from '../merges/chance/chance.ts'
import { CHANCES, crowdAround, crowdOf } from '../merges/chance/crowd.ts'
import type { Words } from '../words/words.ts'
import { type Candidate, titleIn } from './find-candidates.ts'

/** A candidate with the chance that it tells of the same. */
export interface WeighedCandidate extends Candidate {
  /** As the model of all workspaces has it, between 0 and 1. */
  readonly chance: number
}

interface Weighed {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly text: string
  readonly occurredAt: Date
}

/**
 * Whoever is less like the signal gets no look-up of what is near to it: it is hardly ever proposed, and the crowd that is around the signal stands
 * for its own.
 */
const LOOKED_UP_FROM = 0.3

/** The best of the candidates that `may` be joined, with their chances: at most three, the likeliest first. `words` must be refreshed. */
export const weighCandidates = (
  words: Pick<Words, 'nearestTo' | 'rarity'>,
  signal: Weighed,
  candidates: readonly Candidate[],
  may: (candidate: Candidate) => boolean,
): readonly WeighedCandidate[] => {
  const text = signal.text.slice(0, READ_CHARACTERS)
  const own = { vocabulary: new Set(wordsOf(text)), title: titleIn(text), occurredAt: signal.occurredAt }
  return candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => {
      const around = crowdOf(candidates.flatMap(other => (other === candidate ? [] : (other.words ?? 0))))
      const isLookedUp = candidate.score >= LOOKED_UP_FROM
      const chance = chanceOf({
        ...own,
        words: candidate.words ?? 0,
        titles: candidate.titles ?? 0,
        around,
        aroundOther: isLookedUp ? crowdAround(words, signal.workspaceId, candidate.signalId, signal.id) : around,
        otherVocabulary: new Set(wordsOf(candidate.text)),
        otherTitle: candidate.title,
        otherOccurredAt: candidate.occurredAt,
        rarity: word => words.rarity(signal.workspaceId, word),
      })
      return { ...candidate, chance }
    })
    .sort((one, other) => other.chance - one.chance)
}
