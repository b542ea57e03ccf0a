import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Proposal } from './proposal.ts'

/** A claim that a proposal names, followed to the one that it lives on in. */
export interface ProposedClaim {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  /** The beginning of its statement. */
  readonly text: string
}

export interface ProposalRow {
  readonly id: string
  readonly score: number
  readonly similarity: number | null
  /** That the two are the same, as the workspace's decisions correct it; null where nobody has found it. */
  readonly chance: number | null
  readonly reason: string
  readonly proposed_at: Date
  readonly state: Proposal['state']
  readonly decided_by: string | null
  readonly decided_reason: string | null
  readonly decided_at: Date | null
  /** The number of the Decision that settled it. */
  readonly decision: number | null
  readonly claim: ProposedClaim
  readonly candidate: ProposedClaim
}

const STATEMENT_CHARACTERS = 280

const side = (column: string): string => `(
  select jsonb_build_object('id', id, 'number', number, 'title', title, 'text', left(statement, ${STATEMENT_CHARACTERS}))
  from claims where id = surviving_claim(proposal.${column}))`

/** As `corrected` of the chances has it. */
export const CORRECTED_CHANCE = `(
  1 / (1 + exp(-(ln(proposal.chance / (1 - proposal.chance)) + coalesce((
    select shift from proposal_bars where workspace_id = proposal.workspace_id), 0)))))::float8`

/** That a proposal is about a claim or what was merged into it; about any, where `claim` is null. */
export const ofClaim = (proposal: string, claim: string): string =>
  `(${claim}::uuid is null or ${proposal} in (select proposal_id from proposals_of_lineage(${claim}::uuid)))`

/**
 * What was implied by other decisions is no decision of anybody on that pair: the list of decided ones leaves it out.
 */
const inState = (claim: string): string =>
  `where proposal.state = $1 and not implied and ${ofClaim('proposal.id', claim)}`

const PROPOSALS = `
  select proposal.id, score, similarity, ${CORRECTED_CHANCE} as chance, reason, proposed_at, proposal.state, decided_by, decided_reason, decided_at,
    (select number from decisions where decisions.id = decision_id) as decision,
    ${side('claim_id')} as claim, ${side('candidate_claim_id')} as candidate
  from merge_proposals proposal ${inState('$4')}`

const PAGE = `${PROPOSALS} order by coalesce(decided_at, proposed_at) desc, proposal.id limit $2 offset $3`
/** What a judge finds to be the same comes before what is likely to be. */
export const BEST_FIRST = 'found_by is null, coalesce(proposal.chance, 0) desc, score desc, proposal.id'
const PAGE_WAITING = `${PROPOSALS} order by ${BEST_FIRST} limit $2 offset $3`

/**
 * A page of the proposals in a state, of a claim if one is told: the likeliest of those that wait first, the last
 * decided of the others.
 */
export const listProposals = (
  transaction: Transaction,
  state: Proposal['state'],
  page: { readonly limit: number; readonly offset: number },
  claimId: string | null,
): Promise<ProposalRow[]> =>
  transaction.query<ProposalRow>(state === 'waiting' ? PAGE_WAITING : PAGE, [state, page.limit, page.offset, claimId])

const COUNT = `select count(*)::integer as count from merge_proposals proposal ${inState('$2')}`

export const countProposals = async (
  transaction: Transaction,
  state: Proposal['state'],
  claimId: string | null = null,
): Promise<number> => (await transaction.query<{ count: number }>(COUNT, [state, claimId]))[0]?.count ?? 0

/** As many as one decision takes. */
const MAX_IDS = 100

const GROUPS = `
  select asked.id as survivor_id, count(*)::integer as count,
    (array_agg(proposal.id order by ${BEST_FIRST}))[1:${MAX_IDS}] as proposal_ids
  from unnest($1::uuid[]) as asked (id)
  cross join lateral (select claim_lineage(asked.id) as id offset 0) as member
  cross join lateral (
    select id, score, chance, found_by from merge_proposals where candidate_claim_id = member.id and state = 'waiting' offset 0
  ) as proposal
  group by asked.id`

interface WaitingGroup {
  readonly survivor_id: string
  readonly count: number
  /** The best 100 of them. */
  readonly proposal_ids: string[]
}

/** The waiting proposals that have one of these claims, or what was merged into it, as their candidate. */
export const waitingProposalsOf = (transaction: Transaction, survivorIds: readonly string[]): Promise<WaitingGroup[]> =>
  transaction.query<WaitingGroup>(GROUPS, [survivorIds])
