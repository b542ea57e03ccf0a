import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, derivedId, type ProposalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Candidate } from '../claims/find-candidates.ts'
import { chanceByMeaning } from './chance/by-meaning.ts'
import { CHANCES, chanceOf, crowdOf } from './chance/chance.ts'

const INSERT_PROPOSALS = `
  insert into merge_proposals (
    id, workspace_id, claim_id, candidate_claim_id, score, similarity, chance, state, reason, decided_at, decided_by, decided_reason, judged_by, judged_at,
    found_by)
  select added.id, added.workspace_id, added.claim_id, added.candidate_claim_id, added.score, added.similarity,
    added.chance, added.state, added.reason, case when added.state = 'refused' then now() end, added.decided_by,
    case when added.state = 'refused' then added.reason end, coalesce(added.decided_by, added.found_by),
    case when coalesce(added.decided_by, added.found_by) is not null then now() end, added.found_by
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::real[], $6::real[], $7::real[], $8::text[], $9::text[], $10::text[], $11::text[])
    as added (id, workspace_id, claim_id, candidate_claim_id, score, similarity, chance, state, reason, decided_by, found_by)
  on conflict do nothing`

export interface MergeProposal {
  readonly workspaceId: WorkspaceId
  readonly claimId: ClaimId
  readonly candidateClaimId: ClaimId
  readonly score: number
  readonly similarity: number | null
  /** Null where a person, not the model, brought the two together. */
  readonly chance: number | null
  readonly reason: string
  /** The judge that refused the pair; null when the proposal waits for somebody to decide. */
  readonly refusedBy: string | null
  /** The judge that said yes, where people confirm; the proposal waits with its reason. */
  readonly foundBy?: string | null
  /** Its chance is not above the workspace's bar: it does not wait yet. */
  readonly isSetAside?: boolean
}

/** Stores proposals. A pair that has one keeps it as it is: what was refused is not proposed again. */
export const proposeMerges = async (transaction: Transaction, proposals: readonly MergeProposal[]): Promise<void> => {
  if (proposals.length === 0) return
  await transaction.query(INSERT_PROPOSALS, [
    proposals.map(({ claimId, candidateClaimId }) =>
      derivedId<ProposalId>('proposal', ...[claimId, candidateClaimId].toSorted()),
    ),
    proposals.map(one => one.workspaceId),
    proposals.map(one => one.claimId),
    proposals.map(one => one.candidateClaimId),
    proposals.map(one => one.score),
    proposals.map(one => one.similarity),
    proposals.map(one => one.chance),
    proposals.map(stateOf),
    proposals.map(one => one.reason),
    proposals.map(one => one.refusedBy),
    proposals.map(one => one.foundBy ?? null),
  ])
}

const stateOf = ({ refusedBy, isSetAside = false }: MergeProposal): string => {
  if (refusedBy !== null) return 'refused'
  return isSetAside ? 'set_aside' : 'waiting'
}

/**
 * By words, the cosine of texts that share a common word at most. Where words tell more they are heard alone: long
 * reports of one product are all near to each other in meaning, and would stand before those that people mark as the
 * same.
 */
const HARDLY_A_WORD = 0.05

interface Weight {
  /** As the model of all workspaces has it, between 0 and 1. */
  readonly chance: number
  /** What they mean says it; they share hardly a word. */
  readonly isByMeaning: boolean
}

/** A candidate with the chance that it tells of the same. */
export type WeighedCandidate = Candidate & Weight

/** Why a pair waits for people where no judge is configured. */
export const unjudgedReason = (isByMeaning: boolean): string =>
  isByMeaning
    ? 'Other words, perhaps of another language, mean much the same; no judge is configured to say whether the root problem is the same.'
    : 'Words or meaning are near; no judge is configured to say whether the root problem is the same.'

/**
 * The best of the candidates of what happened then, of those that `may` be joined, with their chances: at most three,
 * the likeliest first. What words tell and what the model's vectors tell are weighed apart, and the surer one counts.
 */
export const weighCandidates = <Near extends Pick<Candidate, 'compared' | 'similarity' | 'occurredAt' | 'mayBeSeries'>>(
  { occurredAt, model }: { readonly occurredAt: Date; readonly model: string },
  candidates: readonly Near[],
  may: (candidate: Near) => boolean,
): readonly (Near & Weight)[] =>
  candidates
    .filter(may)
    .slice(0, CHANCES)
    .map(candidate => {
      const others = candidates.filter(other => other !== candidate)
      const byWords = chanceOf({
        occurredAt,
        compared: candidate.compared,
        around: crowdOf(others.map(other => other.compared?.words ?? 0)),
        otherOccurredAt: candidate.occurredAt,
        mayBeSeries: candidate.mayBeSeries,
      })
      const around = crowdOf(others.map(other => other.similarity ?? 0))
      const sharesWords = (candidate.compared?.words ?? 0) >= HARDLY_A_WORD
      const byMeaning = sharesWords ? 0 : chanceByMeaning({ model, cosine: candidate.similarity, around })
      return { ...candidate, chance: Math.max(byWords, byMeaning), isByMeaning: byMeaning > byWords }
    })
    .sort((one, other) => other.chance - one.chance)
