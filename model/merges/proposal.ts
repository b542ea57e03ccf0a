import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId, ProposalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type MERGE_PROPOSAL_STATES, reference } from '../../schemas/domain/vocabulary.ts'
import type { DecidedBy } from './kept-apart.ts'

/**
 * Whether what refuses a pair is that somebody took its merge back: the two were found to be the same, which is no
 * refusal. `row` is one of `merge_proposals`, by the name that the statement gives it.
 */
export const isUndoneMerge = (row: string): string => `exists (
  select from merges
  where merged_claim_id in (${row}.claim_id, ${row}.candidate_claim_id)
    and survivor_claim_id in (${row}.claim_id, ${row}.candidate_claim_id) and undone_at = ${row}.decided_at)`

/** A proposal as it is stored; its claims may have been merged since: `lockSurvivors` follows them. */
export interface Proposal {
  readonly id: ProposalId
  readonly workspace_id: WorkspaceId
  readonly claim_id: ClaimId
  readonly candidate_claim_id: ClaimId
  readonly state: (typeof MERGE_PROPOSAL_STATES)[number]
  readonly implied: boolean
  readonly decided_by: string | null
  /** Whether the two were one, and what refuses them is that somebody took that back. */
  readonly undone: boolean
  /** The number of the Decision that settled it. */
  readonly decision: number | null
}

// Ordered, so that two transactions never wait for each other.
const LOCK_PROPOSALS = `
  select id, workspace_id, claim_id, candidate_claim_id, state, implied, decided_by,
    ${isUndoneMerge('merge_proposals')} as undone,
    (select number from decisions where decisions.id = decision_id) as decision
  from merge_proposals where id = any ($1::uuid[])
  order by id
  for update`

/**
 * Reads proposals, each once, and holds them until the transaction ends. Throws `not_found` when one is not the
 * workspace's.
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
 * Throws `conflict` when a proposal was decided already, with what can be done about it. One that was set aside
 * meanwhile can be decided on.
 */
export const requireWaiting = (proposals: readonly Proposal[]): void => {
  const [decided] = proposals.filter(({ state }) => state === 'confirmed' || state === 'refused')
  if (decided === undefined) return
  const { id, state, decided_by, decision, undone } = decided
  const was = undone ? 'merged, and that was undone' : `${state} already`
  const where = decision === null ? '' : ` (${reference('decision', decision)})`
  throw new AssayError(
    'conflict',
    `The proposal ${id} was ${was}, by ${decided_by}${where}; nothing was changed. service_decide mode triage, action undo, proposal_id ${id} takes that back.`,
    { context: { proposal_id: id, state } },
  )
}

const SETTLE_PROPOSALS = `
  update merge_proposals
  set state = $2, implied = false, decided_at = $3, decided_by = $4, decided_reason = $5, decision_id = $6
  where id = any ($1::uuid[])`

/** Marks proposals as decided. A refused pair is never proposed again. */
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

/** The proposals that a Decision refused and that nothing settled since. */
export const proposalsRefusedBy = async (transaction: Transaction, decisionId: string): Promise<ProposalId[]> =>
  (await transaction.query<{ id: ProposalId }>(REFUSED_BY, [decisionId])).map(({ id }) => id)

const OF_PAIR = `
  select id from merge_proposals
  where least(claim_id, candidate_claim_id) = least($1::uuid, $2::uuid)
    and greatest(claim_id, candidate_claim_id) = greatest($1::uuid, $2::uuid)`

/** The one proposal of two claims, whichever of them was there before. */
export const proposalOfPair = async (
  transaction: Transaction,
  [one, other]: readonly [ClaimId, ClaimId],
): Promise<ProposalId | undefined> => (await transaction.query<{ id: ProposalId }>(OF_PAIR, [one, other]))[0]?.id

const COUNT_WAITING = `
  select count(*)::integer as count
  from proposals_of_lineage($1) join merge_proposals on id = proposal_id
  where state = 'waiting'`

/** How many proposals of a claim, and of what was merged into it, wait. */
export const countWaitingProposals = async (transaction: Transaction, claimId: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_WAITING, [claimId]))[0]?.count ?? 0

/** What was implied before may be so no longer. */
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

/**
 * Settles the proposals of a survivor that nobody needs to decide on any more, whichever of the merged claims they
 * name: those within it are confirmed, those with a claim that it is kept apart from are refused. Called after each
 * change of what was merged or refused.
 */
export const settleImpliedProposals = async (
  transaction: Transaction,
  claimId: ClaimId,
  { at, by, decisionId }: Omit<DecidedBy, 'reason'>,
): Promise<void> => {
  await transaction.query(REOPEN_IMPLIED, [claimId])
  await transaction.query(SETTLE_IMPLIED, [claimId, at, by, decisionId])
}
