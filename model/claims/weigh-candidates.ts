import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../schemas/domain/vocabulary.ts'
import { chanceOf } from '../merges/chance/chance.ts'
import { CHANCES, crowdOf } from '../merges/chance/crowd.ts'
import type { Words } from '../words/words.ts'
import { CLAIM_KIND } from './claim-kind.ts'
import { type Candidate, titleIn } from './find-candidates.ts'

/** A candidate with the chance that it tells of the same. */
export interface WeighedCandidate extends Candidate {
  /** As the model of all workspaces has it, between 0 and 1. */
  readonly chance: number
}

interface Weighed {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly kind: ClaimKind
  readonly text: string
  readonly occurredAt: Date
}

/** The best of the candidates that `may` be joined, with their chances: at most three, the likeliest first. `words` must be refreshed. */
export const weighCandidates = (
  words: Pick<Words, 'overlap'>,
  signal: Weighed,
  candidates: readonly Candidate[],
  may: (candidate: Candidate) => boolean,
): readonly WeighedCandidate[] => {
  const own = { title: titleIn(signal.text), occurredAt: signal.occurredAt }
  return candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => {
      const chance = chanceOf({
        ...own,
        score: candidate.score,
        words: candidate.words ?? 0,
        titles: candidate.titles ?? 0,
        around: crowdOf(candidates.flatMap(other => (other === candidate ? [] : (other.words ?? 0)))),
        overlap: words.overlap(signal.workspaceId, signal.id, candidate.signalId),
        otherTitle: candidate.title,
        kindsDiffer: (candidate.claimKind ?? CLAIM_KIND[candidate.kind]) !== signal.kind,
        otherOccurredAt: candidate.occurredAt,
      })
      return { ...candidate, chance }
    })
    .sort((one, other) => other.chance - one.chance)
}
