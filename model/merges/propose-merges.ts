import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, derivedId, type ProposalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Candidate } from '../claims/find-candidates.ts'
import { chanceByMeaning } from './chance/by-meaning.ts'
import { CHANCES, chanceOf, crowdOf } from './chance/chance.ts'

/**
 * A chance lowered by up to a thousandth, by the id of its pair. Texts of one pattern give many pairs one chance; no
 * limit would fall between them, and none could be asked for.
 */
export const apart = (chance: string, id: string): string =>
  `(${chance} * (1 - (hashtextextended(${id}::text, 0) & 65535) / 65536000.0))::real`

const INSERT_PROPOSALS = `
  insert into merge_proposals (
    id, workspace_id, claim_id, candidate_claim_id, score, similarity, chance, state, reason, decided_at, decided_by, decided_reason, judged_by, judged_at,
    found_by)
  select added.id, added.workspace_id, added.claim_id, added.candidate_claim_id, added.score, added.similarity,
    ${apart('added.chance', 'added.id')}, added.state, added.reason, case when added.state = 'refused' then now() end, added.decided_by,
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
  /** Null for a pair that a person proposed. */
  readonly chance: number | null
  readonly reason: string
  /** The judge that refused the pair; null while it waits. */
  readonly rejectedBy: string | null
  /** The judge that said yes in a workspace where people merge. The proposal waits with the judge's reason. */
  readonly confirmedBy?: string | null
  /** True when the chance is not above the workspace's bar, so that the pair does not wait yet. */
  readonly isSetAside?: boolean
}

/** Stores proposals. A pair keeps its earlier proposal, so a refused pair is not proposed again. */
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
    proposals.map(one => one.rejectedBy),
    proposals.map(one => one.confirmedBy ?? null),
  ])
}

const stateOf = ({ rejectedBy, isSetAside = false }: MergeProposal): string => {
  if (rejectedBy !== null) return 'refused'
  return isSetAside ? 'set_aside' : 'waiting'
}

/**
 * Cosine by words of texts that share at most one common word. Above it words alone count: long reports of one product
 * are all near in meaning, and would come before the pairs that people mark as the same.
 */
const HARDLY_A_WORD = 0.05

interface Weight {
  /** Chance by the model of all workspaces, between 0 and 1. */
  readonly chance: number
  /** True when the two share hardly a word, and the chance comes from their meaning. */
  readonly isByMeaning: boolean
}

/** A candidate with the chance that it says the same. */
export type WeighedCandidate = Candidate & Weight

/**
 * The best candidates of a signal that `may` be joined, with their chances: at most three, likeliest first. Words and
 * vectors give a chance each, and the higher one counts.
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
