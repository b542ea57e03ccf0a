import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import type { TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'

/** What one Decision changed of several Signals: enough to log it, and to take it back. */
export interface BatchChange {
  /** For a Decision without a comment: `SIG-7 and SIG-9 are accepted.` Where nothing changes, why that is. */
  readonly statement: string
  readonly changes: readonly { readonly id: SignalId; readonly change: TriageChange }[]
  /** The claim that they became evidence of. */
  readonly claim?: { readonly id: ClaimId; readonly reference: string; readonly is_new: boolean }
  /** What else it is about. */
  readonly objects?: readonly DecisionObject[]
}

export const verbFor = (several: readonly unknown[]): 'are' | 'is' => (several.length === 1 ? 'is' : 'are')
