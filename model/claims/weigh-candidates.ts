import { READ_CHARACTERS } from '../../infra/word-index/terms.ts'
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

/** The best of the candidates that `may` be joined, with their chances: at most three, the likeliest first. `words` must be refreshed. */
export const weighCandidates = (
  words: Pick<Words, 'nearestTo' | 'rarity'>,
  signal: Weighed,
  candidates: readonly Candidate[],
  may: (candidate: Candidate) => boolean,
): readonly WeighedCandidate[] => {
  const text = signal.text.slice(0, READ_CHARACTERS)
  const own = { text, title: titleIn(text), occurredAt: signal.occurredAt }
  return candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => ({
      ...candidate,
      chance: chanceOf({
        ...own,
        score: candidate.score,
        words: candidate.words ?? 0,
        titles: candidate.titles ?? 0,
        around: crowdOf(candidates.flatMap(other => (other === candidate ? [] : (other.words ?? 0)))),
        aroundOther: crowdAround(words, signal.workspaceId, candidate.signalId, signal.id),
        otherText: candidate.text,
        otherTitle: candidate.title,
        otherOccurredAt: candidate.occurredAt,
        rarity: word => words.rarity(signal.workspaceId, word),
      }),
    }))
    .sort((one, other) => other.chance - one.chance)
}
