import { AssayError } from '../../../infra/runtime/errors.ts'
import type { ClaimGrowth } from '../../../model/claims/claims.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'

/**
 * Throws `conflict` for a claim that more hangs on by now than the pieces of evidence that it was started with, as far as it still has
 * these: `ownEvidence`. `starter` is what started it, in a sentence.
 */
export const refuseGrown = (starter: string, growth: ClaimGrowth, ownEvidence: number): void => {
  const { number, merged_into, merged, evidence, solutions } = growth
  const claim = reference('claim', number)
  const why =
    merged_into !== null
      ? `was merged into ${reference('claim', merged_into)}: undo that first (action undo, claim_id ${claim})`
      : merged > 0
        ? 'has other claims merged into it: undo these merges first'
        : evidence > ownEvidence
          ? `has ${evidence - ownEvidence} other piece(s) of evidence by now, so it stays`
          : solutions > 0
            ? 'is answered by a Solution: take the claim off it first (mode update_solution, remove_claim_ids)'
            : null
  if (why === null) return
  throw new AssayError('conflict', `${claim}, which ${starter} started, ${why}. Nothing was changed.`, {
    context: { claim: { reference: claim, merged_into, merged, evidence, solutions } },
  })
}
