import type { Transaction } from '../../../infra/postgres/port.ts'
import { detachSignal, dismissClaim, lockClaimGrowth, touchClaim } from '../../../model/claims/change-claim.ts'
import { attachmentsOf } from '../../../model/claims/read-evidence.ts'
import { markDuplicate } from '../../../model/duplicates/marked-duplicates.ts'
import { putBack } from '../../../model/duplicates/taken-out.ts'
import { type LockedSignal, setSignals } from '../../../model/triage/locked-signals.ts'
import type { TakenOutChange } from '../../../model/triage/triage-change.ts'
import { lockOriginal } from './mark-duplicates.ts'
import { refuseGrown } from './refuse-grown.ts'

/**
 * Makes a Signal that was taken out a repeat again: it leaves its claims, and one that it started and that nothing else hangs on is dismissed. Its row
 * and its reference stay, as of any Signal that repeats another by a person's word. Needs the locks of the workspace's signals and claims. Throws
 * `conflict` when its claim has Solutions or merges, or its original is dismissed.
 */
export const repeatAgain = async (
  transaction: Transaction,
  signal: LockedSignal,
  { original: originalId, marked }: TakenOutChange,
  at: Date,
): Promise<void> => {
  const original = await lockOriginal(transaction, originalId)
  for (const { claim_id: claimId } of marked ? [] : await attachmentsOf(transaction, signal.id)) {
    const growth = await lockClaimGrowth(transaction, claimId)
    const isLast = growth !== undefined && growth.evidence <= 1
    if (isLast) refuseGrown(signal.reference, growth, 1)
    await detachSignal(transaction, claimId, signal.id)
    if (isLast) await dismissClaim(transaction, claimId)
    else await touchClaim(transaction, claimId, at)
  }
  await setSignals(transaction, [signal], { state: 'dismissed' })
  await markDuplicate(transaction, signal.id, original.id)
  await putBack(transaction, signal.id)
}
