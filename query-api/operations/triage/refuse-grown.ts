import { AssayError } from '../../../infra/runtime/errors.ts'
import type { ClaimGrowth } from '../../../model/claims/change-claim.ts'
import type { LockedSignal } from '../../../model/triage/locked-signals.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'

/** Throws `conflict` for a claim that a Signal started and that more hangs on by now. */
export const refuseGrown = ({ reference: name }: LockedSignal, growth: ClaimGrowth): void => {
  const { number, merged_into, merged, evidence, solutions } = growth
  const claim = reference('claim', number)
  const why =
    merged_into !== null
      ? `was merged into ${reference('claim', merged_into)}: undo that first (action undo, claim_id ${claim})`
      : merged > 0
        ? 'has other claims merged into it: undo these merges first'
        : evidence > 1
          ? `has ${evidence - 1} other piece(s) of evidence by now, so it stays`
          : solutions > 0
            ? 'is answered by a Solution: take the claim off it first (mode update_solution, remove_claim_ids)'
            : null
  if (why === null) return
  throw new AssayError('conflict', `${claim}, which ${name} started, ${why}. Nothing was changed.`, {
    context: { claim: { reference: claim, merged_into, merged, evidence, solutions } },
  })
}
