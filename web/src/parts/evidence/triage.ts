import { callOnce } from '../../api/call-once.ts'
import type { Input, Output } from '../../api/client.ts'

export const triage = async (input: Input<'triage'>): Promise<Output<'triage'>> =>
  (await callOnce('triage', input)).data

type Logged = Output<'triage'>['decision']

/** Takes back what a Decision changed in Triage: all of it, or nothing. What changed nothing has none. */
export const undoDecision = async (
  decision: Pick<NonNullable<Logged>, 'id'> | null,
): Promise<Output<'triage'> | null> => (decision === null ? null : triage({ action: 'undo', decision_id: decision.id }))

/** Makes two claims one that were kept apart until now: the way back from pulling apart and pulling out. */
export const mergeAgain = async (claim_id: string, into_claim_id: string) =>
  (await callOnce('merge_claims', { claim_id, into_claim_id, lift_refusal: true })).data

/** Takes back a merge that was just decided: the pairs wait again, where one that is pulled apart later stays apart. */
export const undoMerge = async (decision: Logged) => {
  const undone = await undoDecision(decision)
  return undoDecision(undone?.decision ?? null)
}
