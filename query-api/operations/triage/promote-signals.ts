import { attachEvidence } from '../../../model/claims/change-evidence.ts'
import { firstClaims } from '../../../model/claims/read-evidence.ts'
import { type LockedSignal, setSignals } from '../../../model/triage/triage.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import { AssayError, actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { type BatchChange, type BatchTriageInput, verbFor } from './batch-triage.ts'
import { namesOf } from './locked-signals.ts'
import { joinClaim } from './promote.ts'
import { changedFields } from './triage-signal.ts'

/** Makes Signals that have no claim evidence of one, a new one for all of them or one that there is, and accepts them. */
export const promoteSignals = async (
  transaction: Transaction,
  { caller }: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const to = targetOf(given)
  await requirePromotable(transaction, signals)
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
    // Taken back from the last to the first: the one that started the claim goes when the others are gone.
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

const requirePromotable = async (transaction: Transaction, signals: readonly LockedSignal[]): Promise<void> => {
  const dismissed = signals.filter(({ state }) => state === 'dismissed')
  if (dismissed.length > 0) {
    throw new AssayError(
      'conflict',
      `${namesOf(dismissed)} ${verbFor(dismissed)} dismissed. Nothing was written. Accept first, then promote.`,
    )
  }
  const claimed = await firstClaims(transaction, signals)
  const [one] = signals.filter(({ id }) => claimed.has(id))
  if (one === undefined) return
  throw new AssayError(
    'conflict',
    `${reference('signal', one.number)} is evidence of ${claimed.get(one.id)} already${claimed.size > 1 ? `, and ${claimed.size - 1} more have a claim` : ''}. Nothing was written.`,
  )
}
