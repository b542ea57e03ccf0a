import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { chanceOf } from '../merges/chance/chance.ts'
import { CHANCES, crowdOf } from '../merges/chance/crowd.ts'
import type { Words } from '../words/words.ts'
import type { Candidate } from './find-candidates.ts'

/** A candidate with the chance that it tells of the same. */
export interface WeighedCandidate extends Candidate {
  /** As the model of all workspaces has it, between 0 and 1. */
  readonly chance: number
}

interface Weighed {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly occurredAt: Date
}

/** The best of the candidates that `may` be joined, with their chances: at most three, the likeliest first. `words` must be refreshed. */
export const weighCandidates = (
  words: Pick<Words, 'overlap'>,
  signal: Weighed,
  candidates: readonly Candidate[],
  may: (candidate: Candidate) => boolean,
): readonly WeighedCandidate[] => {
  return candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => {
      const chance = chanceOf({
        occurredAt: signal.occurredAt,
        words: candidate.words ?? 0,
        titles: candidate.titles ?? 0,
        around: crowdOf(candidates.flatMap(other => (other === candidate ? [] : (other.words ?? 0)))),
        overlap: words.overlap(signal.workspaceId, signal.id, candidate.signalId),
        otherOccurredAt: candidate.occurredAt,
      })
      return { ...candidate, chance }
    })
    .sort((one, other) => other.chance - one.chance)
}
