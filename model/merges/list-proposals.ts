import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { MAX_PROPOSALS } from '../../schemas/domain/limits.ts'
import { happenedAt } from '../signals/happened.ts'
import type { Proposal } from './proposal.ts'

/** Speakers of a claim's signals. */
interface SaidByRow {
  /** Signals and their repeats. */
  readonly signals: number
  readonly actors: number
  /** The newest signals, each with its speaker. */
  readonly speakers: readonly {
    readonly actor_name: string | null
    readonly source: string
    readonly source_url: string | null
    /** ISO 8601. */
    readonly occurred_at: string
  }[]
}

const SPEAKERS = 3
/** Newest signals of a claim that are looked at, because a list has many claims. */
const LOOKED_AT = 20

const speakerColumns = (row: string): string =>
  `${row}.actor_name, coalesce(${row}.source, ${row}.channel) as source, ${row}.source_url, ${happenedAt(row)} as at`

/** JSON, for a statement with a claim's id in `id`. */
const saidBy = (id: string): string => `(
  select jsonb_build_object(
    'signals', coalesce((select signals from priority_totals where target_id = ${id}), 0),
    'actors', coalesce((select actors from priority_totals where target_id = ${id}), 0),
    'speakers', coalesce((
      with behind as materialized (
        select signal_id from claim_evidence where claim_id = ${id} order by signal_id desc limit ${LOOKED_AT}
      )
      select jsonb_agg(jsonb_build_object('actor_name', actor_name, 'source', source, 'source_url', source_url, 'occurred_at', at)
        order by at desc)
      from (
        select * from (
          select ${speakerColumns('signals')} from behind join signals on signals.id = signal_id
          union all
          select repeat.* from behind cross join lateral (
            select ${speakerColumns('occurrences')} from occurrences
            where occurrences.signal_id = behind.signal_id order by at desc limit ${SPEAKERS}
          ) as repeat
        ) as said order by at desc limit ${SPEAKERS}
      ) as newest), '[]')))`

/** A side of a pair: a claim or a signal. */
export interface SideRow {
  readonly id: string
  readonly number: number
  readonly title: string
  /** Beginning of its text. */
  readonly text: string
}

export interface ProposedSideRow extends SideRow {
  readonly said_by: SaidByRow
}

/** Characters that people compare. */
const CHARACTERS = 1200

const claimOf = (id: string, characters: number, more = ''): string => `(
  select jsonb_build_object('id', side.id, 'number', side.number, 'title', side.title, 'text', left(side.statement, ${characters})${more})
  from claims side where side.id = ${id})`

/** A claim as JSON, for a statement with its id in `id`. */
export const claimSide = (id: string): string => claimOf(id, CHARACTERS)

/** A claim as JSON with its speakers, for people who decide. */
export const proposedSide = (id: string): string => claimOf(id, CHARACTERS, `, 'said_by', ${saidBy('side.id')}`)

/** A signal as JSON. Its title is the beginning of its text. */
export const signalSide = (id: string): string => `(
  select jsonb_build_object('id', side.id, 'number', side.number, 'title', left(side.text, 80), 'text', left(side.text, ${CHARACTERS}))
  from signals side where side.id = ${id})`

/** The surviving claim of a claim in a proposal. */
export interface ProposedClaim extends SideRow {
  readonly id: ClaimId
}

export interface ProposalRow {
  readonly id: string
  readonly score: number
  readonly similarity: number | null
  /** Corrected chance that the two are the same; null for a pair that a person proposed. */
  readonly chance: number | null
  readonly reason: string
  readonly proposed_at: Date
  readonly state: Proposal['state']
  readonly decided_by: string | null
  readonly decided_reason: string | null
  readonly decided_at: Date | null
  /** Number of the Decision that settled it. */
  readonly decision: number | null
  readonly claim: ProposedClaim
  readonly candidate: ProposedClaim
}

const survivorOf = (column: string): string => claimOf(`surviving_claim(proposal.${column})`, CHARACTERS)

/** `corrected` in SQL. */
export const CORRECTED_CHANCE = `(
  1 / (1 + exp(-(ln(proposal.chance / (1 - proposal.chance)) + coalesce((
    select shift from proposal_bars where workspace_id = proposal.workspace_id), 0)))))::float8`

/** Condition: a proposal names a claim, or a claim that was merged into it. A null `claim` matches every proposal. */
export const ofClaim = (proposal: string, claim: string): string =>
  `(${claim}::uuid is null or ${proposal} in (select proposal_id from proposals_of_lineage(${claim}::uuid)))`

/** Implied settlements are no decisions on the pair, so they are not in the list. */
const inState = (claim: string): string =>
  `where proposal.state = $1 and not implied and ${ofClaim('proposal.id', claim)}`

const PROPOSALS = `
  select proposal.id, score, similarity, ${CORRECTED_CHANCE} as chance, reason, proposed_at, proposal.state, decided_by, decided_reason, decided_at,
    (select number from decisions where decisions.id = decision_id) as decision,
    ${survivorOf('claim_id')} as claim, ${survivorOf('candidate_claim_id')} as candidate
  from merge_proposals proposal ${inState('$4')}`

const PAGE = `${PROPOSALS} order by coalesce(decided_at, proposed_at) desc, proposal.id limit $2 offset $3`
/** Pairs that a judge found to be the same come first. */
export const BEST_FIRST = 'found_by is null, coalesce(proposal.chance, 0) desc, score desc, proposal.id'
const PAGE_WAITING = `${PROPOSALS} order by ${BEST_FIRST} limit $2 offset $3`

/** A page of proposals in a state, optionally of one claim: waiting ones likeliest first, others last decided first. */
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

const GROUPS = `
  select requested.id as survivor_id, count(*)::integer as count,
    (array_agg(proposal.id order by ${BEST_FIRST}))[1:${MAX_PROPOSALS}] as proposal_ids
  from unnest($1::uuid[]) as requested (id)
  cross join lateral (select claim_lineage(requested.id) as id offset 0) as member
  cross join lateral (
    select id, score, chance, found_by from merge_proposals where candidate_claim_id = member.id and state = 'waiting' offset 0
  ) as proposal
  group by requested.id`

interface WaitingGroup {
  readonly survivor_id: string
  readonly count: number
  /** The best 100. */
  readonly proposal_ids: string[]
}

/** Waiting proposals whose candidate is one of these claims, or was merged into one. */
export const waitingProposalsOf = (transaction: Transaction, survivorIds: readonly string[]): Promise<WaitingGroup[]> =>
  transaction.query<WaitingGroup>(GROUPS, [survivorIds])
