import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId, ProposalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type MERGE_PROPOSAL_STATES, reference } from '../../schemas/domain/vocabulary.ts'
import type { DecidedBy } from './kept-apart.ts'

/**
 * Condition: a refused pair's merge was undone, so the refusal does not mean that the claims differ. `row` is the
 * statement's name for a row of `merge_proposals`.
 */
export const isUndoneMerge = (row: string): string => `exists (
  select from merges
  where merged_claim_id in (${row}.claim_id, ${row}.candidate_claim_id)
    and survivor_claim_id in (${row}.claim_id, ${row}.candidate_claim_id) and undone_at = ${row}.decided_at)`

/** A stored proposal. Its claims may have been merged since: `lockSurvivors` finds the surviving ones. */
export interface Proposal {
  readonly id: ProposalId
  readonly workspace_id: WorkspaceId
  readonly claim_id: ClaimId
  readonly candidate_claim_id: ClaimId
  readonly claim_number: number
  readonly candidate_number: number
  readonly state: (typeof MERGE_PROPOSAL_STATES)[number]
  readonly implied: boolean
  readonly decided_by: string | null
  /** True when the pair was merged and the merge was undone, which refuses it. */
  readonly undone: boolean
  /** Number of the Decision that settled it. */
  readonly decision: number | null
}

// Ordered, so that two transactions do not wait for each other.
const LOCK_PROPOSALS = `
  select id, workspace_id, claim_id, candidate_claim_id, state, implied, decided_by,
    (select number from claims where claims.id = claim_id) as claim_number,
    (select number from claims where claims.id = candidate_claim_id) as candidate_number,
    ${isUndoneMerge('merge_proposals')} as undone,
    (select number from decisions where decisions.id = decision_id) as decision
  from merge_proposals where id = any ($1::uuid[])
  order by id
  for update`

/**
 * Reads proposals, each once, and locks them until the transaction ends. Throws `not_found` when one is missing in the
 * workspace.
 */
export const lockProposals = async (transaction: Transaction, ids: readonly string[]): Promise<readonly Proposal[]> => {
  const proposals = await transaction.query<Proposal>(LOCK_PROPOSALS, [ids])
  const found = new Set<string>(proposals.map(({ id }) => id))
  const missing = ids.filter(id => !found.has(id.toLowerCase()))
  if (missing.length === 0) return proposals
  throw new AssayError(
    'not_found',
    `No merge proposal of this workspace is ${missing.join(', ')}; nothing was changed. service_lookup mode proposals lists those that wait.`,
  )
}

/**
 * Throws `conflict`, with the way back, when a proposal was decided already. A proposal that is set aside can be
 * decided.
 */
export const requireWaiting = (proposals: readonly Proposal[]): void => {
  const [decided] = proposals.filter(({ state }) => state === 'confirmed' || state === 'refused')
  if (decided === undefined) return
  const { id, state, decided_by, decision, undone, claim_number, candidate_number } = decided
  const pair = `${reference('claim', claim_number)} and ${reference('claim', candidate_number)}`
  const was = undone ? 'merged, and that was undone' : `${state} already`
  const where = decision === null ? '' : ` (${reference('decision', decision)})`
  throw new AssayError(
    'conflict',
    `The merge of ${pair} was ${was}, by ${decided_by}${where}; nothing was changed. service_decide mode triage, action undo, proposal_id ${id} takes that back.`,
    { context: { proposal_id: id, state } },
  )
}

const SETTLE_PROPOSALS = `
  update merge_proposals
  set state = $2, implied = false, decided_at = $3, decided_by = $4, decided_reason = $5, decision_id = $6
  where id = any ($1::uuid[])`

/** Settles proposals. A refused pair is never proposed again. */
export const settleProposals = async (
  transaction: Transaction,
  ids: readonly ProposalId[],
  state: 'confirmed' | 'refused',
  { at, by, reason, decisionId }: DecidedBy,
): Promise<void> => {
  await transaction.query(SETTLE_PROPOSALS, [ids, state, at, by, reason, decisionId])
}

const REFUSED_BY = `
  select id from merge_proposals where decision_id = $1 and state = 'refused' and not implied order by id`

/** Proposals that a Decision refused and nothing has settled since. */
export const proposalsRefusedBy = async (transaction: Transaction, decisionId: string): Promise<ProposalId[]> =>
  (await transaction.query<{ id: ProposalId }>(REFUSED_BY, [decisionId])).map(({ id }) => id)

const OF_PAIR = `
  select id from merge_proposals
  where least(claim_id, candidate_claim_id) = least($1::uuid, $2::uuid)
    and greatest(claim_id, candidate_claim_id) = greatest($1::uuid, $2::uuid)`

/** The proposal of two claims in either order. */
export const proposalOfPair = async (
  transaction: Transaction,
  [one, other]: readonly [ClaimId, ClaimId],
): Promise<ProposalId | undefined> => (await transaction.query<{ id: ProposalId }>(OF_PAIR, [one, other]))[0]?.id

const COUNT_WAITING = `
  select count(*)::integer as count
  from proposals_of_lineage($1) join merge_proposals on id = proposal_id
  where state = 'waiting'`

/** Number of waiting proposals of a claim and of the claims merged into it. */
export const countWaitingProposals = async (transaction: Transaction, claimId: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_WAITING, [claimId]))[0]?.count ?? 0

const BESIDE = `
  select count(*)::integer as count from merge_proposals where state = 'waiting' and not id = any ($1::uuid[])`

/** Number of waiting proposals beside these. */
export const waitingBeside = async (transaction: Transaction, ids: readonly string[]): Promise<number> =>
  (await transaction.query<{ count: number }>(BESIDE, [ids]))[0]?.count ?? 0

/** Earlier implied settlements may no longer be implied. */
const REOPEN_IMPLIED = `
  update merge_proposals
  set state = 'waiting', implied = false, decided_at = null, decided_by = null, decided_reason = null, decision_id = null
  where implied and id in (select proposal_id from proposals_of_lineage($1))`

const SETTLE_IMPLIED = `
  with proposed as materialized (
    select id, state, implied, surviving_claim(other_claim_id) as other
    from proposals_of_lineage($1) join merge_proposals on id = proposal_id
  ), refused as (
    select other from proposed where state = 'refused' and not implied
  )
  update merge_proposals
  set state = case when other = $1 then 'confirmed' else 'refused' end, implied = true,
    decided_reason = case when other = $1 then 'The two are one claim already.' else 'The two claims are kept apart.' end,
    decided_at = $2, decided_by = $3, decision_id = $4
  from proposed
  where merge_proposals.id = proposed.id and proposed.state in ('waiting', 'set_aside')
    and (other = $1 or other in (select other from refused))`

// The pair that replaced a proposal may name other claims now.
const ASK_AGAIN = `
  update merge_proposals set withdrawn_by = null, state = case when exists (
    select from proposal_bars
    where proposal_bars.workspace_id = merge_proposals.workspace_id and bar > 0
      and coalesce(merge_proposals.chance, 0) <= bar and merge_proposals.found_by is null
  ) then 'set_aside' else 'waiting' end
  where state = 'set_aside' and id in (select proposal_id from proposals_of_lineage($1))
    and withdrawn_by in (select id from merge_proposals where state <> 'refused')`

// Among several pairs of the same two surviving claims one waits: a waiting one, then the likeliest.
const ASK_ONCE = `
  update merge_proposals set state = 'set_aside', withdrawn_by = doubled.best
  from (
    select id, first_value(id) over (
      partition by surviving_claim(other_claim_id)
      order by state = 'waiting' desc, found_by is null, coalesce(chance, 0) desc, score desc, id) as best
    from proposals_of_lineage($1) join merge_proposals on id = proposal_id
    where state in ('waiting', 'set_aside') and withdrawn_by is null
  ) as doubled
  where merge_proposals.id = doubled.id and doubled.id <> doubled.best`

/**
 * Settles proposals of a surviving claim that need no decision any more, under any of its merged claims: pairs inside
 * of it are confirmed, pairs with a claim that it is kept apart from are refused. Among several pairs with the same
 * other claim one waits. Call after each merge, refusal, or undo of either.
 */
export const settleImpliedProposals = async (
  transaction: Transaction,
  claimId: ClaimId,
  { at, by, decisionId }: Omit<DecidedBy, 'reason'>,
): Promise<void> => {
  await transaction.query(REOPEN_IMPLIED, [claimId])
  await transaction.query(ASK_AGAIN, [claimId])
  await transaction.query(SETTLE_IMPLIED, [claimId, at, by, decisionId])
  await transaction.query(ASK_ONCE, [claimId])
}
