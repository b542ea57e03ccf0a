import { attachEvidence } from '../../../model/claims/change-evidence.ts'
import { attachmentsOf, claimsOf, firstClaims } from '../../../model/claims/read-evidence.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { type LockedSignal, setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import type { ClaimId } from '../../../schemas/domain/ids.ts'
import { type ClaimKind, reference } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, resolveClaim, startClaimOf } from '../claims/claim.ts'
import { AssayError, actorLabel, type Caller, type Transaction, type WriteContext } from '../define.ts'
import type { BatchChange, BatchTriageInput } from './batch-triage.ts'
import { lockSignal, namesOf, shownSignal, verbFor } from './locked-signals.ts'
import { NO_CHANGES, type Triaged } from './triage-shape.ts'
import { changedFields } from './triage-signal.ts'

export interface Promotion {
  readonly signalId: string
  readonly version: number | undefined
  readonly comment: string | undefined
  /** An existing claim, or the kind of a new one. */
  readonly to: { readonly claimId: string } | { readonly kind: ClaimKind; readonly title: string | undefined }
}

/**
 * Makes a signal without a claim evidence of a claim, and accepts the signal. Throws `conflict` for a signal that has a
 * claim or is dismissed, and when the caller read another version.
 */
export const promoteSignal = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { signalId, version, comment, to }: Promotion,
): Promise<Triaged> => {
  await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
  const signal = await lockSignal(transaction, signalId, version)
  await requirePromotable(transaction, signal)
  const reason = comment ?? 'It was promoted.'
  const is_new = !('claimId' in to)
  const id = is_new
    ? await startClaimOf(transaction, caller, signal, { ...to, reason })
    : await joinClaim(transaction, caller, signal, to.claimId, reason)
  await setSignals(transaction, [signal], { state: 'accepted' })
  const { reference } = (await namedClaims(transaction, [id]))(id)
  const change: TriageChange = {
    triage: 'promote',
    ...changedFields(signal, { state: 'accepted' }),
    claim: { id, is_new },
  }
  const decision = await storeDecision(transaction, caller, {
    statement: comment ?? `${signal.reference} is evidence of ${reference}.`,
    at: services.now(),
    objects: [
      { kind: 'signal', id: signal.id, change: { ...change } },
      { kind: 'claim', id, change: { promoted_signal: signal.id, is_new } },
    ],
  })
  const claim = { id, reference, is_new }
  return { ...NO_CHANGES, signal: await shownSignal(transaction, signal.id), claim, decision }
}

const requirePromotable = async (transaction: Transaction, { id, reference, state }: LockedSignal): Promise<void> => {
  if (state === 'dismissed') {
    throw new AssayError('conflict', `${reference} is dismissed. Accept it first (action accept), then promote it.`)
  }
  const [claim] = await claimsOf(transaction, id)
  if (claim === undefined) return
  const attachment = (await attachmentsOf(transaction, id)).find(({ claim_id }) => claim_id === claim.id)
  const next =
    attachment?.attached_by === 'judge'
      ? ` The judge attached it there, which can be taken back: action undo with signal_id ${reference} and claim_id ${claim.reference}.`
      : ' service_decide mode merge_claims makes one claim of two; service_capture mode evidence attaches a Signal to one more.'
  throw new AssayError('conflict', `${reference} is evidence of ${claim.reference} already.${next}`, {
    context: { claim },
  })
}

export const joinClaim = async (
  transaction: Transaction,
  caller: Caller,
  signal: LockedSignal,
  requestedId: string,
  reason: string,
): Promise<ClaimId> => {
  const claim = await resolveClaim(transaction, requestedId)
  if (claim.state === 'dismissed') {
    throw new AssayError(
      'conflict',
      `CLM-${claim.number} is dismissed and takes no evidence. Promote the Signal with kind instead: it starts a claim of its own.`,
    )
  }
  const attached = { attachedBy: 'member', actor: actorLabel(caller), reason } as const
  const { workspaceId } = caller
  await attachEvidence(transaction, [{ workspaceId, claimId: claim.id, signalId: signal.id, ...attached }])
  return claim.id
}

/** Makes signals without a claim evidence of one claim, new or existing, and accepts them. */
export const promoteSignals = async (
  transaction: Transaction,
  { caller }: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const to = targetOf(given)
  await requireAllPromotable(transaction, signals)
  const reason = given.comment ?? 'It was promoted.'
  const [first, ...others] = signals
  if (first === undefined) throw new Error('A list that the schema does not let be empty is.')
  const is_new = !('claimId' in to)
  const id = is_new
    ? await startClaimOf(transaction, caller, first, { ...to, reason })
    : await joinClaim(transaction, caller, first, to.claimId, reason)
  for (const signal of is_new ? [] : others) await joinClaim(transaction, caller, signal, given.claim_id ?? id, reason)
  if (is_new) {
    const attached = { attachedBy: 'member', actor: actorLabel(caller), reason } as const
    await attachEvidence(
      transaction,
      others.map(signal => ({ workspaceId: caller.workspaceId, claimId: id, signalId: signal.id, ...attached })),
    )
  }
  await setSignals(transaction, signals, { state: 'accepted' })
  const { reference: name } = (await namedClaims(transaction, [id]))(id)
  return {
    statement: `${namesOf(signals)} ${verbFor(signals)} evidence of ${name}.`,
    // An undo runs from the last to the first, so the signal that started the claim leaves it last.
    changes: signals.map(signal => ({
      id: signal.id,
      change: {
        triage: 'promote',
        ...changedFields(signal, { state: 'accepted' }),
        claim: { id, is_new: is_new && signal === first },
      },
    })),
    claim: { id, reference: name, is_new },
    objects: [{ kind: 'claim', id, change: { promoted_signals: signals.map(signal => signal.id), is_new } }],
  }
}

type Target =
  | { readonly claimId: string }
  | { readonly kind: 'problem' | 'opportunity'; readonly title: string | undefined }

const targetOf = ({ kind, claim_id: claimId, title }: BatchTriageInput): Target => {
  if (kind !== undefined && claimId === undefined) return { kind, title }
  if (kind === undefined && claimId !== undefined && title === undefined) return { claimId }
  const violations =
    kind === undefined && claimId !== undefined
      ? [{ pointer: '/title', message: 'is for a new claim, with kind' }]
      : ['kind', 'claim_id'].map(field => ({
          pointer: `/${field}`,
          message: 'exactly one of kind or claim_id is needed',
        }))
  throw new AssayError('invalid_input', 'Action promote needs exactly one of kind or claim_id; title goes with kind.', {
    violations,
  })
}

export const refuseDismissed = (signals: readonly LockedSignal[]): void => {
  const dismissed = signals.filter(({ state }) => state === 'dismissed')
  if (dismissed.length === 0) return
  throw new AssayError(
    'conflict',
    `${namesOf(dismissed)} ${verbFor(dismissed)} dismissed. Nothing was written. Accept first, then promote.`,
  )
}

const requireAllPromotable = async (transaction: Transaction, signals: readonly LockedSignal[]): Promise<void> => {
  refuseDismissed(signals)
  const claimed = await firstClaims(transaction, signals)
  const [one] = signals.filter(({ id }) => claimed.has(id))
  if (one === undefined) return
  throw new AssayError(
    'conflict',
    `${reference('signal', one.number)} is evidence of ${claimed.get(one.id)} already${claimed.size > 1 ? `, and ${counted(claimed.size - 1, 'other has', 'others have')} a claim` : ''}. Nothing was written. service_decide mode merge_claims makes one claim of two; service_capture mode evidence attaches a Signal to one more.`,
  )
}
