import { type FollowedClaim, followEvidence } from '../../../model/claims/follow-evidence.ts'
import { claimsOf } from '../../../model/claims/read-evidence.ts'
import { CLAIM_KIND } from '../../../model/claims/start-claims.ts'
import { type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { saysNothing } from '../../../model/signals/says-nothing.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { type LockedSignal, type SignalFields, setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimKind, Classification } from '../../../schemas/domain/vocabulary.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import type { Transaction, WriteContext } from '../define.ts'
import { lockSignal, shownSignal } from './locked-signals.ts'

import { NO_CHANGES, type Triaged } from './triage-shape.ts'

export type SignalTriage = {
  readonly signalId: string
  readonly version: number | undefined
  readonly comment: string | undefined
} & (
  | { readonly action: 'accept' | 'dismiss' }
  | { readonly action: 'reclassify'; readonly classification: Classification }
)

/** A person's classification has full confidence and a person's mark. */
export const reclassified = (classification: Classification): Partial<SignalFields> => ({
  classification,
  classification_confidence: 1,
  classification_version: 'member',
})

const wantedOf = (triage: SignalTriage): Partial<SignalFields> =>
  triage.action === 'reclassify'
    ? reclassified(triage.classification)
    : { state: triage.action === 'accept' ? 'accepted' : 'dismissed' }

const SAYS = { accept: 'is accepted', dismiss: 'is dismissed' } as const

/**
 * Sets a signal's state or classification. A signal without a claim that becomes a problem or an idea starts an
 * emerging claim, as in the pipeline; the kind of its claim follows the evidence. Throws `conflict` when the caller
 * read another version.
 */
export const triageSignal = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  triage: SignalTriage,
): Promise<Triaged> => {
  await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
  const signal = await lockSignal(transaction, triage.signalId, triage.version)
  const wanted = wantedOf(triage)
  const statement = triage.action === 'reclassify' ? `is reclassified as ${triage.classification}` : SAYS[triage.action]
  if (!changes(signal, wanted)) {
    const unchanged = `${signal.reference} ${statement} already; nothing was changed.`
    return { ...NO_CHANGES, signal: await shownSignal(transaction, signal.id), decision: null, unchanged }
  }
  await setSignals(transaction, [signal], wanted)
  const followed = await followEvidence(transaction, [signal], services.now())
  const claim = await claimOf(transaction, caller, signal, triage)
  const change: TriageChange = {
    triage: triage.action,
    ...changedFields(signal, wanted),
    ...(claim === null ? {} : { claim: { id: claim.id, is_new: claim.is_new } }),
    ...(followed.length === 0 ? {} : { followed: followed.map(one => one.claim) }),
  }
  const decision = await storeDecision(transaction, caller, {
    statement:
      triage.comment ??
      (claim !== null && triage.action === 'accept'
        ? `${signal.reference} is accepted, and started ${claim.reference}.`
        : `${signal.reference} ${statement}.`),
    at: services.now(),
    objects: [{ kind: 'signal', id: signal.id, change: { ...change } }, ...followedObjects(followed)],
  })
  return { ...NO_CHANGES, signal: await shownSignal(transaction, signal.id), claim, decision }
}

/** The Decision's entries for claims whose kind followed their evidence. */
export const followedObjects = (followed: readonly { readonly claim: FollowedClaim }[]): readonly DecisionObject[] =>
  followed.map(({ claim: { id, from, to } }) => ({
    kind: 'claim',
    id,
    change: {
      ...(from.kind === to.kind ? {} : { kind: { from: from.kind, to: to.kind } }),
      ...(from.state === to.state ? {} : { state: { from: from.state, to: to.state } }),
    },
  }))

const claimOf = async (
  transaction: Transaction,
  caller: WriteContext['caller'],
  signal: LockedSignal,
  triage: SignalTriage,
): Promise<(TriageChange['claim'] & { readonly reference: string }) | null> => {
  const kind = startedKind(signal, triage, { alone: true })
  if (kind === null || signal.state === 'dismissed' || (await claimsOf(transaction, signal.id)).length > 0) return null
  const reason = triage.comment ?? startReason(triage.action)
  const id = await startClaimOf(transaction, caller, signal, { kind, reason })
  const { reference } = (await namedClaims(transaction, [id]))(id)
  return { id, reference, is_new: true }
}

/** Default reason for a claim that a signal starts. */
export const startReason = (action: 'accept' | 'dismiss' | 'reclassify'): string =>
  action === 'accept' ? 'It was accepted, and started the claim.' : 'It was reclassified, and started the claim.'

/**
 * Kind of the claim that a signal without one starts: from its new classification; for an acceptance from the likely
 * kind of its text, else a problem. A classification that asks for nothing starts none. What is taken for noise starts
 * one when it is accepted `alone`, because somebody has read it then, and none among others.
 */
export const startedKind = (
  signal: LockedSignal,
  { action, classification }: { readonly action: string; readonly classification?: Classification | undefined },
  { alone }: { readonly alone: boolean },
): ClaimKind | null => {
  if (action === 'reclassify') return classification === undefined ? null : CLAIM_KIND[classification]
  if (action !== 'accept' || CLAIM_KIND[signal.classification] !== null) return null
  if (saysNothing(signal) && !alone) return null
  return CLAIM_KIND[signal.speaks_as] ?? 'problem'
}

/** True when a signal differs from the wanted fields. */
export const changes = (signal: LockedSignal, wanted: Partial<SignalFields>): boolean =>
  Object.entries(changedFields(signal, wanted).to).some(
    ([field, value]) => signal[field as keyof SignalFields] !== value,
  )

/** A signal's fields before and after a change. */
export const changedFields = (
  { state, classification, classification_confidence, classification_version }: LockedSignal,
  wanted: Partial<SignalFields>,
): Pick<TriageChange, 'from' | 'to'> => {
  const from = { state, classification, classification_confidence, classification_version }
  return { from, to: { ...from, ...wanted } }
}
