import { chanceOf } from '../merges/chance/chance.ts'
import { CHANCES, crowdOf } from '../merges/chance/crowd.ts'
import type { Candidate } from './find-candidates.ts'

/** A candidate with the chance that it tells of the same. */
export interface WeighedCandidate extends Candidate {
  /** As the model of all workspaces has it, between 0 and 1. */
  readonly chance: number
}

/**
 * The best of the candidates of what happened then, of those that `may` be joined, with their chances: at most three,
 * the likeliest first.
 */
export const weighCandidates = (
  occurredAt: Date,
  candidates: readonly Candidate[],
  may: (candidate: Candidate) => boolean,
): readonly WeighedCandidate[] =>
  candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => {
      const chance = chanceOf({
        occurredAt,
        compared: candidate.compared,
        around: crowdOf(candidates.flatMap(other => (other === candidate ? [] : (other.compared?.words ?? 0)))),
        otherOccurredAt: candidate.occurredAt,
      })
      return { ...candidate, chance }
    })
    .sort((one, other) => other.chance - one.chance)
