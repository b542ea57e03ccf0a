import type { ClaimId } from '../../schemas/domain/ids.ts'

/** A claim that was proposed, and that something else was preferred to. Stored as JSON with what was preferred. */
export interface RejectedCandidate {
  readonly claim_id: ClaimId
  /** `undecided` when nobody was asked, or the answer was of no use. */
  readonly verdict: 'refused' | 'undecided'
  /** Who refused it; null when nobody did. */
  readonly by: string | null
  readonly reason: string
  readonly score: number
  readonly similarity: number | null
}
