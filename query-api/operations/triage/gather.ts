import { attachEvidence } from '../../../model/claims/change-evidence.ts'
import { type ClaimOfSignals, claimsOfSignals } from '../../../model/claims/claims-of-signals.ts'
import { followEvidence } from '../../../model/claims/follow-evidence.ts'
import { lockClaims } from '../../../model/claims/survivors.ts'
import { readTitled, setTitle } from '../../../model/claims/title-claim.ts'
import {
  attachToDecision,
  type DecisionObject,
  type LoggedDecision,
  storeDecision,
} from '../../../model/decisions/log-decision.ts'
import { planMerges } from '../../../model/merges/merge-claims.ts'
import { ownSentence, readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { isFoundTitle, type TitleOfTheme } from '../../../model/themes/title-of-theme.ts'
import { type LockedSignal, setSignals, type TriageChange } from '../../../model/triage/triage.ts'
import type { ClaimId, DecisionId, SolutionId } from '../../../schemas/domain/ids.ts'
import { namedClaims, startClaimOf } from '../claims/claim.ts'
import { actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { settleMerges } from '../merges/confirm-merges.ts'
import { lockPairs } from '../merges/merge.ts'
import { proposePair } from '../merges/merge-claims.ts'
import type { BatchChange } from './batch-triage.ts'
import { namesOf, verbFor } from './locked-signals.ts'
import { refuseDismissed } from './promote.ts'
import { followedBy } from './signal-states.ts'
import { changedFields, followedObjects } from './triage-signal.ts'

export interface GatheredSignals extends Pick<BatchChange, 'statement' | 'started'> {
  readonly claim: NonNullable<BatchChange['claim']>
  /** The new Solution that answers the claim. */
  readonly solution: { readonly id: SolutionId; readonly reference: string; readonly title: string } | null
  /** Null when nothing changes. */
  readonly decision: LoggedDecision | null
}

/**
 * Makes signals evidence of one claim and accepts them, under one Decision. The claim is the one with most of the
 * signals, or a new one when none has any. Claims without other evidence are merged into it; other claims keep their
 * evidence, so these signals are evidence of both. A new claim gets the title `called`; one that existed gets it when
 * most of its evidence is these signals and nobody wrote its title. Needs the lock of the workspace.
 */
export const gatherSignals = async (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  { comment, called }: { readonly comment: string | undefined; readonly called: TitleOfTheme | null },
): Promise<GatheredSignals> => {
  const { caller, services } = context
  refuseDismissed(signals)
  const signalIds = signals.map(signal => signal.id)
  const claims = await claimsOfSignals(transaction, signalIds)
  const claimIds = claims.map(claim => claim.id)
  await lockClaims(transaction, claimIds)
  const reason = comment ?? 'They are the same.'
  const { id, is_new } = await claimFor(transaction, context, { signals, claims, reason, title: called?.title })
  const { reference } = (await namedClaims(transaction, [id]))(id)
  const claim = { id, reference, is_new }
  const whole = claims.filter(each => each.id !== id && each.isAll)
  const there = new Set(claims.flatMap(each => (each.id === id || each.isAll ? each.signals : [])))
  const changed = signals.filter(signal => !there.has(signal.id) || signal.state !== 'accepted')
  const says = `${namesOf(signals)} ${verbFor(signals)} evidence of ${reference}`
  const title = is_new || called === null ? null : await renamed(transaction, context, id, { signals, called })
  if (whole.length + changed.length === 0 && title === null) {
    return { claim, solution: null, decision: null, statement: `${says} already; nothing was changed.` }
  }
  // Where it was a sender's sentence, no statement of a person's repeats it.
  const renames = title !== null && called?.isNamed ? ` ${reference} is renamed to “${title.to}”.` : ''
  const statement = comment ?? `${says}.${renames}`
  const decision = await storeDecision(transaction, caller, {
    statement,
    at: services.now(),
    objects: [],
    routine: true,
  })
  const objects = await mergeInto(transaction, context, id, { claims: whole, reason, decisionId: decision.id })
  const attached = { attachedBy: 'member', actor: actorLabel(caller), reason } as const
  await attachEvidence(
    transaction,
    changed
      .filter(signal => !there.has(signal.id))
      .map(signal => ({ workspaceId: caller.workspaceId, claimId: id, signalId: signal.id, ...attached })),
  )
  await setSignals(transaction, changed, { state: 'accepted' })
  const followed = await followEvidence(transaction, changed, services.now())
  const standings = followedObjects(followed)
  await attachToDecision(transaction, caller.workspaceId, decision.id, [
    // An undo runs from the last to the first, so the signal that started the claim leaves it last.
    ...changed.map(signal => {
      const joined = there.has(signal.id) ? null : id
      return signalObject(signal, joined, is_new && signal === signals[0], followedBy(followed, signal.id))
    }),
    ...standings.filter(each => each.id !== id),
    {
      kind: 'claim',
      id,
      change: {
        ...standings.find(each => each.id === id)?.change,
        promoted_signals: signalIds,
        is_new,
        ...(title !== null && { title }),
      },
    },
    ...objects,
  ])
  return { claim, solution: null, decision, statement }
}

interface Gathered {
  readonly signals: readonly LockedSignal[]
  readonly claims: readonly ClaimOfSignals[]
  readonly reason: string
  readonly title: string | undefined
}

/** The claim with most of the signals, or a new one from the first signal. */
const claimFor = async (
  transaction: Transaction,
  { caller }: WriteContext,
  { signals, claims, reason, title }: Gathered,
): Promise<{ readonly id: ClaimId; readonly is_new: boolean }> => {
  const [most] = claims
  if (most !== undefined) return { id: most.id, is_new: false }
  const [first] = signals
  if (first === undefined) throw new Error('A list that the schema does not let be empty is.')
  const ideas = signals.filter(({ speaks_as }) => speaks_as === 'idea').length
  const problems = signals.filter(({ speaks_as }) => speaks_as === 'problem').length
  const kind = ideas > problems ? 'opportunity' : 'problem'
  return { id: await startClaimOf(transaction, caller, first, { kind, reason, title }), is_new: true }
}

interface Naming {
  readonly signals: readonly LockedSignal[]
  readonly called: TitleOfTheme
}

/** Calls a claim what the theme is called; answers both titles, null where it keeps its own. */
const renamed = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  id: ClaimId,
  { signals, called: { title: to } }: Naming,
): Promise<{ readonly from: string; readonly to: string } | null> => {
  const ids = signals.map(signal => signal.id)
  const claim = await readTitled(transaction, id, ids)
  if (claim === undefined || claim.title === to || claim.others >= signals.length) return null
  const { title: from, statement } = claim
  const ownOf = ownSentence(await readSharedPassages(transaction, caller.workspaceId))
  if (!isFoundTitle(from, [statement, ...signals.map(({ text }) => text)], ownOf)) return null
  await setTitle(transaction, id, to, services.now())
  return { from, to }
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

/** A signal's entry in the Decision: accepted, and the new claim, if any. */
const signalObject = (
  signal: LockedSignal,
  claimId: ClaimId | null,
  is_new: boolean,
  followed: Pick<TriageChange, 'followed'>,
): DecisionObject => {
  const fields = { ...changedFields(signal, { state: 'accepted' }), ...followed }
  const change: TriageChange =
    claimId === null
      ? { triage: 'accept', ...fields }
      : { triage: is_new ? 'promote' : 'attach', ...fields, claim: { id: claimId, is_new } }
  return { kind: 'signal', id: signal.id, change: { ...change } }
}
