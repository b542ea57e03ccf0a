import type { Transaction } from '../../../infra/postgres/port.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import type { DecisionObject } from '../../../model/decisions/log-decision.ts'
import { settleImpliedProposals } from '../../../model/merges/implied.ts'
import { type DecidedBy, liftRefusals } from '../../../model/merges/kept-apart.ts'
import type { Proposal } from '../../../model/merges/proposal.ts'
import { type MergeInForce, undoMerge } from '../../../model/merges/undo-merge.ts'
import { namedClaims } from '../claims/named-claims.ts'
import type { SettledMerge } from './triage-shape.ts'

interface Undoing {
  readonly merges: readonly SettledMerge[]
  readonly objects: readonly DecisionObject[]
}

/** Takes merges back, in the order given. */
export const undoMerges = async (
  transaction: Transaction,
  inForce: readonly MergeInForce[],
  settler: DecidedBy,
): Promise<Undoing> => {
  const merges: SettledMerge[] = []
  const objects: DecisionObject[] = []
  for (const merge of inForce) {
    const { from, ...moved } = await undoMerge(transaction, merge, settler)
    const named = await namedClaims(transaction, [merge.merged_claim_id, from])
    const shown = (id: typeof from) => ({ id, reference: named(id).reference })
    merges.push({
      proposal_id: null,
      state: 'undone',
      survivor: shown(from),
      merged: shown(merge.merged_claim_id),
      moved_signals: moved.signal_ids.length,
      moved_solutions: moved.solution_ids.length,
    })
    objects.push(
      { kind: 'claim', id: merge.merged_claim_id, change: { pulled_apart_from: from, ...moved } },
      { kind: 'claim', id: from, change: { pulled_apart: merge.merged_claim_id } },
    )
  }
  return { merges, objects }
}

/** Takes refusals back: whatever was refused between the claims of each waits again. */
export const liftRefused = async (
  transaction: Transaction,
  refused: readonly Proposal[],
  settler: DecidedBy,
): Promise<Undoing> => {
  const lifted = new Set<string>()
  const objects: DecisionObject[] = []
  for (const { claim_id, candidate_claim_id } of refused) {
    const locked = await lockSurvivors(transaction, [claim_id, candidate_claim_id])
    const pair = [locked.get(claim_id) ?? claim_id, locked.get(candidate_claim_id) ?? candidate_claim_id] as const
    for (const id of await liftRefusals(transaction, pair)) lifted.add(id)
    await settleImpliedProposals(transaction, pair[0], settler)
    const [claim, candidate] = pair
    objects.push(
      { kind: 'claim', id: claim, change: { may_merge_with: candidate } },
      { kind: 'claim', id: candidate, change: { may_merge_with: claim } },
    )
  }
  const nothing = { survivor: null, merged: null, moved_signals: 0, moved_solutions: 0 }
  return { merges: [...lifted].map(id => ({ proposal_id: id, state: 'waiting', ...nothing })), objects }
}
