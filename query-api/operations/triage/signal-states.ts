import { type FollowedClaim, followEvidence } from '../../../model/claims/follow-evidence.ts'
import { firstClaims } from '../../../model/claims/read-evidence.ts'
import { markDuplicate } from '../../../model/duplicates/occurrences.ts'
import { type LockedSignal, type SignalFields, setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, SignalId } from '../../../schemas/domain/ids.ts'
import { startClaimOf } from '../claims/claim.ts'
import { AssayError, type Transaction, type WriteContext } from '../define.ts'
import { requireField } from '../parts/fields.ts'
import type { BatchChange, BatchTriageInput } from './batch-triage.ts'
import { lockSignal, namesOf, verbFor } from './locked-signals.ts'
import { changedFields, changes, followedObjects, reclassified, startedKind, startReason } from './triage-signal.ts'

/**
 * Sets the state or classification of signals that differ. Signals without a claim that become a problem or an idea
 * start one claim each.
 */
export const setSignalStates = async (
  transaction: Transaction,
  context: WriteContext,
  given: readonly LockedSignal[],
  input: BatchTriageInput,
): Promise<BatchChange> => {
  const { wanted, statement, triage } = wantedOf(input)
  const signals = given.filter(signal => changes(signal, wanted))
  if (signals.length === 0) {
    return { statement: `${namesOf(given)} ${verbFor(given)} ${statement} already; nothing was changed.`, changes: [] }
  }
  await setSignals(transaction, signals, wanted)
  const at = context.services.now()
  const followed = await followEvidence(transaction, signals, at)
  const started = await startClaims(transaction, context, signals, input)
  const made = signals.map(signal => {
    const id = started.get(signal.id)
    const change: TriageChange = {
      triage,
      ...changedFields(signal, wanted),
      ...(id === undefined ? {} : { claim: { id, is_new: true } }),
      ...followedBy(followed, signal.id),
    }
    return { id: signal.id, change }
  })
  return {
    statement: `${namesOf(signals)} ${verbFor(signals)} ${statement}.`,
    changes: made,
    started,
    objects: followedObjects(followed),
  }
}

/** The claims whose kind or state changed with a signal, for its change; nothing where none did. */
export const followedBy = (
  followed: Awaited<ReturnType<typeof followEvidence>>,
  signal: SignalId,
): Pick<TriageChange, 'followed'> => {
  const claims: readonly FollowedClaim[] = followed.flatMap(({ claim, by }) => (by.includes(signal) ? [claim] : []))
  return claims.length === 0 ? {} : { followed: claims }
}

interface Wanted {
  readonly triage: 'accept' | 'dismiss' | 'reclassify'
  readonly wanted: Partial<SignalFields>
  readonly statement: string
}

const wantedOf = ({ action, classification }: BatchTriageInput): Wanted => {
  if (action === 'accept') return { triage: action, wanted: { state: 'accepted' }, statement: 'accepted' }
  if (action === 'dismiss') return { triage: action, wanted: { state: 'dismissed' }, statement: 'dismissed' }
  const wanted = reclassified(requireField(classification))
  return { triage: 'reclassify', wanted, statement: `reclassified as ${classification}` }
}

const startClaims = async (
  transaction: Transaction,
  { caller }: WriteContext,
  signals: readonly LockedSignal[],
  input: BatchTriageInput,
): Promise<ReadonlyMap<SignalId, ClaimId>> => {
  const started = new Map<SignalId, ClaimId>()
  const reason = input.comment ?? startReason(input.action === 'accept' ? 'accept' : 'reclassify')
  const claimed = await firstClaims(transaction, signals)
  for (const signal of signals) {
    const kind = startedKind(signal, input, { alone: signals.length === 1 })
    if (kind === null || signal.state === 'dismissed' || claimed.has(signal.id)) continue
    started.set(signal.id, await startClaimOf(transaction, caller, signal, { kind, reason }))
  }
  return started
}

/**
 * Marks signals, and their repeats, as repeats of another. Their rows stay, dismissed, so that no signal counts twice
 * and the marks can be undone. Throws `conflict` for a dismissed original.
 */
export const markDuplicates = async (
  transaction: Transaction,
  { services }: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const original = await lockOriginal(transaction, requireField(given.original_signal_id))
  if (signals.some(({ id }) => id === original.id)) {
    throw new AssayError('invalid_input', `${original.reference} cannot repeat itself: leave it out.`, {
      violations: [{ pointer: '/original_signal_id', message: 'must be none of signals' }],
    })
  }
  const wanted = { state: 'dismissed' } as const
  await setSignals(transaction, signals, wanted)
  const followed = await followEvidence(transaction, signals, services.now())
  const changes: BatchChange['changes'][number][] = []
  for (const signal of signals) {
    const repeats = await markDuplicate(transaction, signal.id, original.id)
    const duplicate = { of: original.id, repeats }
    const change = { ...changedFields(signal, wanted), duplicate, ...followedBy(followed, signal.id) }
    changes.push({ id: signal.id, change: { triage: 'duplicate', ...change } })
  }
  return {
    statement: `${namesOf(signals)} ${signals.length === 1 ? 'repeats' : 'repeat'} ${original.reference}.`,
    changes,
    objects: [
      { kind: 'signal', id: original.id, change: { repeated_by: signals.map(({ id }) => id) } },
      ...followedObjects(followed),
    ],
  }
}

/** The original of the repeats. Throws `conflict` for an original that is a repeat itself, or dismissed. */
export const lockOriginal = async (transaction: Transaction, requestedId: string): Promise<LockedSignal> => {
  const original = await lockSignal(transaction, requestedId, undefined)
  if (original.state !== 'dismissed') return original
  throw new AssayError(
    'conflict',
    `${original.reference} is dismissed, so nothing counts with it. Nothing was written. Accept it first, or name another original.`,
  )
}
