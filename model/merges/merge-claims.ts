import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import {
  type ClaimId,
  type DecisionId,
  newId,
  type ProposalId,
  type SignalId,
  type SolutionId,
} from '../../schemas/domain/ids.ts'
import { quotedStrangers } from '../../schemas/domain/strangers.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'
import { touchClaim } from '../claims/claims.ts'
import { setKindsOfEvidence } from '../claims/kind-of-evidence.ts'
import { findRefusal } from './kept-apart.ts'

/** Two surviving claims that the caller holds (`lockSurvivors`), so that no other merge removes one. */
interface Merge {
  readonly merged: ClaimId
  readonly survivor: ClaimId
  readonly mergedBy: 'member' | 'judge'
  /** A member with the key, or a judge's model. */
  readonly actor: string
  readonly reason: string
  readonly proposalId: ProposalId
  /** Null for a judge, which can only merge. */
  readonly decisionId: DecisionId | null
  readonly at: Date
}

/** Lost candidates that are stored with a merge. */
const MAX_LOST = 10

/** Other proposals of the merged claim, as `LostCandidate`s, read before the merge. */
const RECORD_MERGE = `
  insert into merges (
    id, workspace_id, merged_claim_id, survivor_claim_id, merged_by, actor, reason, proposal_id, decision_id, merged_at, lost_candidates)
  select $1, workspace_id, id, $3, $4, $5, $6, $7, $8, $9, coalesce((
    select jsonb_agg(jsonb_build_object('claim_id', lost.other_claim_id,
      'verdict', case lost.state when 'refused' then 'refused' else 'undecided' end,
      'by', lost.decided_by, 'reason', lost.reason, 'score', lost.score, 'similarity', lost.similarity) order by lost.score desc)
    from (
      select other_claim_id, state, decided_by, coalesce(decided_reason, reason) as reason, score, similarity
      from proposals_of_lineage($2) join merge_proposals on merge_proposals.id = proposal_id
      where surviving_claim(other_claim_id) not in ($2, $3)
      order by score desc
      limit ${MAX_LOST}
    ) as lost), '[]')
  from claims where id = $2`

/** Stores a merge with its reason and the lost candidates, before it is made. */
const recordMerge = async (transaction: Transaction, merge: Merge): Promise<void> => {
  const { merged, survivor, mergedBy, actor, reason, proposalId, decisionId, at } = merge
  await transaction.query(RECORD_MERGE, [
    newId(),
    merged,
    survivor,
    mergedBy,
    actor,
    reason,
    proposalId,
    decisionId,
    at,
  ])
}

/** Rows that a merge moved, or that its undo moved back. */
export interface MovedByMerge {
  readonly signal_ids: readonly SignalId[]
  readonly solution_ids: readonly SolutionId[]
}

/** A row that both claims have stays in the survivor with both origins. An empty origin means the claim itself. */
const move = (table: string, object: string, columns: string): string => `
  with moved as (
    delete from ${table} where claim_id = $1 returning *
  ), attached as (
    insert into ${table} as present (workspace_id, claim_id, ${object}, ${columns}origins)
    select workspace_id, $2, ${object}, ${columns}case when origins = '{}' then array[$1::uuid] else origins end from moved
    on conflict (claim_id, ${object}) do update
      set origins = case when present.origins = '{}' then array[$2::uuid] else present.origins end || excluded.origins
  )
  select ${object} as id from moved order by 1`

const MOVE_EVIDENCE = move('claim_evidence', 'signal_id', 'attached_by, actor, reason, attached_at, lost_candidates, ')
const MOVE_SOLUTIONS = move('solution_claims', 'solution_id', '')

const CLOSE_MERGED = `
  update claims set merged_into = $2, version = version + 1, updated_at = $3 where id = $1`

const NUMBERS = `select number from claims where id = any ($1::uuid[]) order by number`

/**
 * Merges a claim into another: its evidence and its Solutions move, and its reference leads to the survivor. Origins
 * are stored, so that `undoMerge` can move them back. The survivor keeps its kind when a person merges, and gets that
 * of most of its evidence when a judge does. Throws `conflict` without a change for a pair that is kept apart.
 */
export const mergeClaims = async (transaction: Transaction, merge: Merge): Promise<MovedByMerge> => {
  const { merged, survivor, mergedBy, at } = merge
  await refuseKeptApart(transaction, merge)
  await recordMerge(transaction, merge)
  const evidence = await transaction.query<{ id: SignalId }>(MOVE_EVIDENCE, [merged, survivor])
  const solutions = await transaction.query<{ id: SolutionId }>(MOVE_SOLUTIONS, [merged, survivor])
  await transaction.query(CLOSE_MERGED, [merged, survivor, at])
  await touchClaim(transaction, survivor, at)
  if (mergedBy === 'judge') await setKindsOfEvidence(transaction, [survivor])
  return { signal_ids: evidence.map(row => row.id), solution_ids: solutions.map(row => row.id) }
}

const refuseKeptApart = async (transaction: Transaction, { merged, survivor }: Merge): Promise<void> => {
  const refusal = await findRefusal(transaction, merged, survivor)
  if (refusal === undefined) return
  const claims = await transaction.query<{ number: number }>(NUMBERS, [[merged, survivor]])
  const names = claims.map(({ number }) => reference('claim', number)).join(' and ')
  const why = refusal.decided_reason === null ? '' : `: ${quotedStrangers(refusal.decided_reason)}`
  throw new AssayError(
    'conflict',
    `${names} are kept apart, by ${refusal.decided_by}${why}. To merge them after all, take that back first: service_decide mode triage, action undo, proposal_id ${refusal.id}.`,
    { context: { proposal_id: refusal.id } },
  )
}

/** A proposal between two surviving claims. */
interface Pair {
  readonly proposalId: ProposalId
  readonly claims: readonly [ClaimId, ClaimId]
}

interface PlannedMerge {
  readonly proposalId: ProposalId
  readonly merged: ClaimId
  readonly survivor: ClaimId
}

/**
 * Plans the merges for confirmed pairs. Connected claims become one: `wanted` when it is among them, else the oldest
 * (lowest number). Each other claim is merged directly into that one, by the proposal that connects it.
 */
export const planMerges = (
  pairs: readonly Pair[],
  numberOf: (claim: ClaimId) => number,
  wanted: ClaimId | null,
): readonly PlannedMerge[] => {
  const byAge = [...new Set(pairs.flatMap(({ claims }) => claims))].toSorted((a, b) => numberOf(a) - numberOf(b))
  const survivors = wanted === null ? byAge : [wanted, ...byAge]
  const placed = new Set<ClaimId>()
  const merges: PlannedMerge[] = []
  for (const survivor of survivors) {
    if (placed.has(survivor)) continue
    placed.add(survivor)
    const reached = [survivor]
    for (const claim of reached) {
      for (const { proposalId, claims } of pairs) {
        const merged = otherOf(claims, claim)
        if (merged === null || placed.has(merged)) continue
        placed.add(merged)
        reached.push(merged)
        merges.push({ proposalId, merged, survivor })
      }
    }
  }
  return merges
}

const otherOf = ([one, other]: Pair['claims'], claim: ClaimId): ClaimId | null => {
  if (one === claim) return other
  return other === claim ? one : null
}
