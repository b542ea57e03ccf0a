import { attachEvidence } from '../../../model/claims/change-evidence.ts'
import { type ClaimOfSignals, claimsOfSignals } from '../../../model/claims/claims-of-signals.ts'
import { lockClaims } from '../../../model/claims/survivors.ts'
import {
  attachToDecision,
  type DecisionObject,
  type LoggedDecision,
  storeDecision,
} from '../../../model/decisions/log-decision.ts'
import { planMerges } from '../../../model/merges/merge-claims.ts'
import { type LockedSignal, setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, DecisionId } from '../../../schemas/domain/ids.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import { actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { settleMerges } from '../merges/confirm-merges.ts'
import { lockPairs } from '../merges/merge.ts'
import { proposePair } from '../merges/merge-claims.ts'
import type { BatchChange } from './batch-triage.ts'
import { namesOf, verbFor } from './locked-signals.ts'
import { refuseDismissed } from './promote.ts'
import { changedFields } from './triage-signal.ts'

interface GatheredSignals extends Pick<BatchChange, 'claim' | 'statement'> {
  /** Null: all of it is so already. */
  readonly decision: LoggedDecision | null
}

/**
 * Makes Signals evidence of one claim and accepts them, as one Decision: of the claim that most of them are evidence of
 * already, or of a new one where none has any. Claims with nothing else behind them are merged into it; others keep
 * what they have, and these Signals are evidence of both. Needs the lock of the workspace.
 */
export const gatherSignals = async (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  comment: string | undefined,
): Promise<GatheredSignals> => {
  const { caller, services } = context
  refuseDismissed(signals)
  const signalIds = signals.map(signal => signal.id)
  const claims = await claimsOfSignals(transaction, signalIds)
  const claimIds = claims.map(claim => claim.id)
  await lockClaims(transaction, claimIds)
  const reason = comment ?? 'They are the same.'
  const { id, is_new } = await claimFor(transaction, context, { signals, claims, reason })
  const { reference } = (await namedClaims(transaction, [id]))(id)
  const claim = { id, reference, is_new }
  const whole = claims.filter(each => each.id !== id && each.isAll)
  const there = new Set(claims.flatMap(each => (each.id === id || each.isAll ? each.signals : [])))
  const changed = signals.filter(signal => !there.has(signal.id) || signal.state !== 'accepted')
  const says = `${namesOf(signals)} ${verbFor(signals)} evidence of ${reference}`
  if (whole.length + changed.length === 0) {
    return { claim, decision: null, statement: `${says} already; nothing was changed.` }
  }
  const statement = comment ?? `${says}.`
  const decision = await storeDecision(transaction, caller, { statement, at: services.now(), objects: [] })
  const objects = await mergeInto(transaction, context, id, { claims: whole, reason, decisionId: decision.id })
  const attached = { attachedBy: 'member', actor: actorLabel(caller), reason } as const
  await attachEvidence(
    transaction,
    changed
      .filter(signal => !there.has(signal.id))
      .map(signal => ({ workspaceId: caller.workspaceId, claimId: id, signalId: signal.id, ...attached })),
  )
  await setSignals(transaction, changed, { state: 'accepted' })
  await attachToDecision(transaction, caller.workspaceId, decision.id, [
    // Taken back from the last to the first: the one that started the claim goes when the others are gone.
    ...changed.map(signal => signalObject(signal, there.has(signal.id) ? null : id, is_new && signal === signals[0])),
    { kind: 'claim', id, change: { promoted_signals: signalIds, is_new } },
    ...objects,
  ])
  return { claim, decision, statement }
}

interface Gathered {
  readonly signals: readonly LockedSignal[]
  readonly claims: readonly ClaimOfSignals[]
  readonly reason: string
}

/** The claim that most of the Signals are evidence of, or one that the first of them starts. */
const claimFor = async (
  transaction: Transaction,
  { caller }: WriteContext,
  { signals, claims, reason }: Gathered,
): Promise<{ readonly id: ClaimId; readonly is_new: boolean }> => {
  const [most] = claims
  if (most !== undefined) return { id: most.id, is_new: false }
  const [first] = signals
  if (first === undefined) throw new Error('A list that the schema does not let be empty is.')
  const ideas = signals.filter(({ classification }) => classification === 'idea').length
  const problems = signals.filter(({ classification }) => classification === 'problem').length
  const kind = ideas > problems ? 'opportunity' : 'problem'
  return { id: await startClaimOf(transaction, caller, first, { kind, reason }), is_new: true }
}

interface Merging extends Pick<Gathered, 'claims' | 'reason'> {
  readonly decisionId: DecisionId
}

const mergeInto = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  survivor: ClaimId,
  { claims, reason, decisionId }: Merging,
): Promise<readonly DecisionObject[]> => {
  if (claims.length === 0) return []
  const ids = claims.map(({ id }) => id)
  const named = await namedClaims(transaction, [survivor, ...ids])
  const proposalIds: string[] = []
  for (const id of ids) proposalIds.push(await proposePair(transaction, caller, [id, survivor]))
  const pairs = await lockPairs(transaction, caller.workspaceId, proposalIds)
  const plan = planMerges(pairs, id => named(id).number, survivor)
  const settler = { by: actorLabel(caller), reason, at: services.now(), decisionId }
  return (await settleMerges(transaction, caller, { pairs, plan }, settler)).objects
}

/** What the Decision says of a Signal: that it is accepted, and of which claim it became evidence. */
const signalObject = (signal: LockedSignal, claimId: ClaimId | null, is_new: boolean): DecisionObject => {
  const fields = changedFields(signal, { state: 'accepted' })
  const change: TriageChange =
    claimId === null
      ? { triage: 'accept', ...fields }
      : { triage: is_new ? 'promote' : 'attach', ...fields, claim: { id: claimId, is_new } }
  return { kind: 'signal', id: signal.id, change: { ...change } }
}
