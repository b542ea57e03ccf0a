import type { Transaction } from '../../../infra/postgres/port.ts'
import { withinRest } from '../../../infra/runtime/cpu-budget.ts'
import { attachEvidence, type Evidence } from '../../../model/claims/change-evidence.ts'
import type { Candidate } from '../../../model/claims/find-candidates.ts'
import { setKindsOfEvidence } from '../../../model/claims/kind-of-evidence.ts'
import {
  CLAIM_KIND,
  findClustered,
  insertClaims,
  type NewClaim,
  numberClaims,
  ownClaimId,
  readClaimless,
} from '../../../model/claims/start-claims.ts'
import { type EvidenceLocation, lockEvidenceLocations } from '../../../model/claims/survivors.ts'
import { statementOf, titleOf } from '../../../model/claims/titles.ts'
import { isWorthShowing } from '../../../model/merges/chance/correction.ts'
import { isAboveBar, keepToBars, type ProposalBar, readBars } from '../../../model/merges/proposal-bar.ts'
import { type MergeProposal, proposeMerges } from '../../../model/merges/propose-merges.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { Words } from '../../../model/words/words.ts'
import { peopleMerge } from '../../../model/workspaces/workspaces.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'
import { type Deliberated, type Deliberation, leftToPeople, type RejectedCandidate } from './deliberate.ts'

/** What the batch comes to, to be written in one transaction. */
export interface Settlement {
  readonly claims: readonly NewClaim[]
  readonly evidence: readonly Evidence[]
  readonly proposals: readonly MergeProposal[]
  /** Signals that must come again, and why. */
  readonly retries: ReadonlyMap<SignalId, string>
}

/**
 * Puts the outcomes together in the order of the batch, because a signal may have joined the claim of one before it.
 * `standing` says where the candidates are that have a claim; a signal whose candidate is not there any more comes
 * again. What nobody decided on is proposed if it is likely enough. `version` names the step where it acted by itself.
 *
 * `claimless` are the texts of signals that may get a claim now: a question, or what nobody could classify, gets one
 * where it is the same as a problem or an idea, or people are asked whether it is; of their kind it then is. Below the
 * bar it gets none.
 */
const settle = (
  deliberated: readonly Deliberated[],
  locations: ReadonlyMap<Candidate, EvidenceLocation>,
  bars: ReadonlyMap<WorkspaceId, ProposalBar>,
  claimless: ReadonlyMap<SignalId, string>,
  words: Pick<Words, 'rarityOf'>,
  version: string,
): Settlement => {
  const claims: NewClaim[] = []
  const evidence: Evidence[] = []
  const proposals: MergeProposal[] = []
  const retries = new Map<SignalId, string>()
  const placed = new Map<SignalId, EvidenceLocation>()
  const placeOf = (candidate: Candidate): EvidenceLocation | undefined =>
    candidate.claimId === null ? placed.get(candidate.signalId) : locations.get(candidate)
  const toClaims = (unmerged: readonly RejectedCandidate[]) =>
    unmerged.flatMap(one => {
      const place = placeOf(one.candidate)
      return place === undefined ? [] : [{ ...one, claimId: homeOf(place) }]
    })
  const start = (workspaceId: WorkspaceId, signalId: SignalId, kind: ClaimKind, text: string, reason: string) => {
    const claimId = ownClaimId(signalId)
    placed.set(signalId, { claimId, origins: [] })
    claims.push({
      id: claimId,
      workspaceId,
      signalId,
      kind,
      title: titleOf(text, words.rarityOf(workspaceId)),
      statement: statementOf(text),
    })
    evidence.push({ workspaceId, claimId, signalId, attachedBy: 'cluster', actor: version, reason })
    return claimId
  }

  for (const { signalId, workspaceId, kind, text, outcome } of deliberated) {
    if (outcome.kind === 'retry') {
      retries.set(signalId, outcome.reason)
      continue
    }
    if (candidatesOf(outcome).some(candidate => candidate.claimId !== null && !locations.has(candidate))) {
      retries.set(signalId, 'A claim that it was compared with has changed meanwhile.')
      continue
    }
    if (outcome.kind === 'same') {
      const { candidate } = outcome
      const said = claimless.get(candidate.signalId)
      if (placeOf(candidate) === undefined && said !== undefined && kind !== null)
        start(workspaceId, candidate.signalId, kind, said, FOUND_SAME)
      const place = placeOf(candidate)
      if (place === undefined) {
        retries.set(signalId, 'The signal that it shares its root problem with is not clustered yet.')
        continue
      }
      placed.set(signalId, place)
      const { judge, reason } = outcome
      const rejected = toClaims(outcome.rejected).map(({ claimId, candidate, refusedBy, reason }) => ({
        claim_id: claimId,
        verdict: refusedBy === null ? ('undecided' as const) : ('refused' as const),
        by: refusedBy,
        reason,
        score: candidate.score,
        similarity: candidate.similarity,
      }))
      evidence.push({ workspaceId, ...place, signalId, attachedBy: 'judge', actor: judge, reason, rejected })
      continue
    }
    const bar = bars.get(workspaceId)
    const { unmerged } = outcome
    const ownKind = kind ?? kindOf(toClaims(unmerged))
    if (ownKind === null) continue
    const claimId = start(workspaceId, signalId, ownKind, text, kind === null ? ASKED_ABOUT : 'It started the claim.')
    for (const one of unmerged) {
      const said = claimless.get(one.candidate.signalId)
      if (said === undefined || placeOf(one.candidate) !== undefined || !waits(one, bar)) continue
      start(workspaceId, one.candidate.signalId, ownKind, said, ASKED_ABOUT)
    }
    for (const [rank, one] of toClaims(unmerged).entries()) {
      const { claimId: candidateClaimId, candidate, refusedBy, foundBy, reason } = one
      const { score, similarity, chance } = candidate
      const isDecided = refusedBy !== null || foundBy !== undefined
      // The likeliest is kept however unlikely it is, so that people can ask for it.
      if (!isDecided && rank > 0 && !isWorthShowing(chance, bar)) continue
      proposals.push({
        workspaceId,
        claimId,
        candidateClaimId,
        score,
        similarity,
        chance,
        reason,
        refusedBy,
        foundBy: foundBy ?? null,
        isSetAside: !isDecided && !isAsked(one, bar),
      })
    }
  }
  return { claims, evidence, proposals, retries }
}

const FOUND_SAME = 'A judge found another one to be the same: it started the claim.'
const ASKED_ABOUT = 'It may be the same as another one: it started the claim so that people can say.'

/** Whether people are asked about a pair now. */
const isAsked = ({ candidate: { chance } }: RejectedCandidate, bar: ProposalBar | undefined): boolean =>
  isWorthShowing(chance, bar) && isAboveBar(chance, bar)

/** Whether a pair waits for people now: a judge said yes where they merge, or nobody said no of a likely one. */
const waits = (pair: RejectedCandidate, bar: ProposalBar | undefined): boolean =>
  pair.refusedBy === null && (pair.foundBy !== undefined || isAsked(pair, bar))

/** Of a signal that starts no claim by itself only those candidates count that people are asked about now. */
const askedOf = (one: Deliberated, bar: ProposalBar | undefined): Deliberated => {
  if (one.kind !== null || one.outcome.kind !== 'own') return one
  return { ...one, outcome: { kind: 'own', unmerged: one.outcome.unmerged.filter(pair => waits(pair, bar)) } }
}

/** The candidates without a claim that a judge found to be the same, or that people are asked about now. */
const mayStart = (deliberated: readonly Deliberated[], bars: ReadonlyMap<WorkspaceId, ProposalBar>) =>
  deliberated.flatMap(({ workspaceId, outcome }) => {
    if (outcome.kind === 'retry') return []
    const candidates =
      outcome.kind === 'same'
        ? [outcome.candidate]
        : outcome.unmerged.flatMap(one => (waits(one, bars.get(workspaceId)) ? [one.candidate] : []))
    return candidates.flatMap(({ mayStartClaim, signalId }) => (mayStartClaim ? [{ workspaceId, signalId }] : []))
  })

/** The kind of the likeliest one's claim; null where there is none. */
const kindOf = ([first]: readonly RejectedCandidate[]): ClaimKind | null =>
  first === undefined ? null : (first.candidate.claimKind ?? CLAIM_KIND[first.candidate.kind])

/** The claim that evidence belongs to, which it goes with when claims are pulled apart. */
const homeOf = ({ claimId, origins }: EvidenceLocation): ClaimId => origins[0] ?? claimId

/** The candidates whose claims an outcome names. */
const candidatesOf = (outcome: Deliberation): readonly Candidate[] => {
  if (outcome.kind === 'retry') return []
  if (outcome.kind === 'own') return outcome.unmerged.map(({ candidate }) => candidate)
  return [outcome.candidate, ...outcome.rejected.map(({ candidate }) => candidate)]
}

/**
 * Writes what was deliberated. While the judge thought, another delivery may have clustered a signal, and a person may
 * have merged a candidate's claim or pulled it apart.
 */
export const write = async (
  transaction: Transaction,
  deliberated: readonly Deliberated[],
  words: Pick<Words, 'rarityOf'>,
  version: string,
): Promise<Settlement> => {
  const workspaceIds = [...new Set(deliberated.map(({ workspaceId }) => workspaceId))]
  const [, people, done, bars] = await Promise.all([
    lockWorkspaces(transaction, workspaceIds, 'claims'),
    peopleMerge(transaction, workspaceIds),
    findClustered(transaction, deliberated),
    readBars(transaction, workspaceIds),
  ])
  const open = deliberated
    .filter(({ signalId }) => !done.has(signalId))
    .map(one => (people.has(one.workspaceId) ? { ...one, outcome: leftToPeople(one.outcome) } : one))
    .map(one => askedOf(one, bars.get(one.workspaceId)))
  const [locations, claimless] = await Promise.all([
    lockEvidenceLocations(
      transaction,
      open.flatMap(({ outcome }) => candidatesOf(outcome)),
    ),
    readClaimless(transaction, mayStart(open, bars)),
  ])
  const settlement = withinRest(() => settle(open, locations, bars, claimless, words, version))
  const numbers = await numberClaims(transaction, settlement.claims)
  await Promise.all([
    insertClaims(transaction, settlement.claims, numbers),
    attachEvidence(transaction, settlement.evidence),
    proposeMerges(transaction, settlement.proposals),
    // What is set aside moves no bar.
    keepToBars(
      transaction,
      settlement.proposals.flatMap(one => (one.refusedBy === null && !one.isSetAside ? one.workspaceId : [])),
    ),
  ])
  await setKindsOfEvidence(
    transaction,
    settlement.evidence.flatMap(({ attachedBy, claimId }) => (attachedBy === 'judge' ? [claimId] : [])),
  )
  return settlement
}
