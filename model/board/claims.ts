import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChosenBy } from '../../schemas/domain/customer-facts.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { ownedBy, type Person, personIn } from '../members/people.ts'
import { ACCOUNTS_BEHIND, CUSTOMERS_BEHIND, mostFrequentBehind, REVENUE_BEHIND } from './customers.ts'
import { prioritySum, prioritySumOf, ROUNDING_FACTOR } from './order.ts'

/** A claim with the figures of its evidence. */
export interface ClaimRow {
  readonly id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly title: string
  readonly statement: string
  readonly state: ClaimState
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  /** The board's formula over this claim's evidence. */
  readonly evidence_priority: number
  readonly actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly solutions: number
  readonly last_evidence_at: Date | null
  /** The member who looks after the claim. */
  readonly owner: Person | null
  /** Companies behind the claim; null unless `withCustomers`. */
  readonly accounts: number | null
  /** Sum of the companies' revenues that senders gave. */
  readonly revenue: number | null
  /** The most frequent plans, languages and tags behind the claim. Null without any, and unless `withCustomers`. */
  readonly customer_facts: { [fact in Exclude<ChosenBy, 'account'>]?: string[] } | null
}

export const CLAIM_ORDERS = [
  'evidence_priority',
  'signals',
  'actors',
  'last_evidence_at',
  'created_at',
  'accounts',
  'revenue',
  'plan',
  'language',
] as const
/** `match`: the order of `among`. */
type ClaimOrder = (typeof CLAIM_ORDERS)[number] | 'match'

/** Time of the newest signal or repeat of a claim. */
const LAST_EVIDENCE_AT = `(select max(newest_at) from claim_evidence where claim_id = claims.id)`

// Orders other than the priority. They use present figures and need no `now`.
const ORDERS: Readonly<Record<Exclude<ClaimOrder, 'evidence_priority'>, string>> = {
  signals: 'coalesce(signals, 0) desc',
  actors: 'coalesce(actors, 0) desc',
  last_evidence_at: `${LAST_EVIDENCE_AT} desc`,
  created_at: 'created_at desc',
  accounts: `${ACCOUNTS_BEHIND} desc`,
  revenue: `${REVENUE_BEHIND} desc`,
  plan: `${mostFrequentBehind('plan')} asc`,
  language: `${mostFrequentBehind('language')} asc`,
  match: 'array_position($7::uuid[], id) asc',
}

const CHOSEN = `merged_into is null and state = any ($2) and kind = any ($3) and ${ownedBy('$6')} and ($7::uuid[] is null or id = any ($7))`

const REACH = '$4::integer + $5::integer'

// The first claims by stored priority give the bar; with fewer than the page reaches there is no bar, and claims
// without evidence are included. The compared column stands alone, and claims are looked up one by one (`offset 0`), so
// that the index by priority ends the reading at the bar. docs/decisions/0032-solutions-and-the-board.md shows that
// this is exact.
const BY_PRIORITY = `
  top as materialized (
    select evidence_priority * least(1, evidence_decay($1::timestamptz) / evidence_decay(as_of)) as lower
    from priority_totals join claims on claims.id = target_id
    where ${CHOSEN}
    order by evidence_priority desc
    limit ${REACH}
  ),
  bar as materialized (
    select case when count(*) < ${REACH} then null else min(lower) * ${ROUNDING_FACTOR} end as lower from top
  ),
  standing as materialized (
    select id, evidence_priority as priority, as_of, 1 as factor
    from priority_totals cross join lateral (
      select id from claims where claims.id = target_id and ${CHOSEN} offset 0
    ) as claims
    where evidence_priority >= (select lower from bar) / greatest(1, evidence_decay($1::timestamptz) / evidence_decay(now()))
    union all
    select id, coalesce(evidence_priority, 0), coalesce(as_of, $1), 1
    from claims left join priority_totals on target_id = id
    where (select lower from bar) is null and ${CHOSEN}
  ), ${prioritySumOf('$1::timestamptz', REACH)},
  page as (
    select id, evidence_priority, row_number() over (order by evidence_priority desc, number) as place
    from ranked cross join lateral (select number from claims where claims.id = ranked.id offset 0) as claims
    order by place limit $4 offset $5
  )`

const by = (order: Exclude<ClaimOrder, 'evidence_priority'>): string => `
  page as (
    select id, null::double precision as evidence_priority,
      row_number() over (order by ${ORDERS[order]} nulls last, number) as place
    from claims left join priority_totals on target_id = id
    where ${CHOSEN}
    order by place limit $4 offset $5
  )`

const PRIORITY = prioritySum('claims.id', '$1::timestamptz')

const NO_CUSTOMERS =
  '(select null::integer as accounts, null::double precision as revenue, null::jsonb as customer_facts)'

const shown = (from: string, evidencePriority: string, withCustomers: boolean): string => `
  select claims.id, number, kind, title, statement, state, version, created_at, updated_at,
    ${evidencePriority} as evidence_priority,
    coalesce(actors, 0) as actors,
    coalesce(signals, 0) as signals,
    (select count(*)::integer from solution_claims where claim_id = claims.id) as solutions,
    ${LAST_EVIDENCE_AT} as last_evidence_at,
    ${personIn('owner_id')} as owner,
    accounts, revenue, customer_facts
  from ${from} left join priority_totals on target_id = claims.id
    cross join lateral ${withCustomers ? CUSTOMERS_BEHIND : NO_CUSTOMERS} as customers`

const page = (order: ClaimOrder, withCustomers: boolean): string =>
  `with ${order === 'evidence_priority' ? BY_PRIORITY : by(order)} ${shown('page join claims using (id)', `coalesce(page.evidence_priority, ${PRIORITY})`, withCustomers)} order by place`

/** A page of the claims that are not merged into others, as of `now`, by `order`. */
export const claimsPage = (
  transaction: Transaction,
  now: Date,
  selection: {
    readonly states: readonly ClaimState[]
    readonly kinds: readonly ClaimKind[]
    /** Only claims of this owner; `NOBODY` for claims without one. */
    readonly owner?: string | undefined
    /** Only claims with these ids. */
    readonly among?: readonly string[] | undefined
    readonly order: ClaimOrder
    /** True reads the companies behind each claim, their revenue, plans, languages and tags. */
    readonly withCustomers?: boolean
    readonly limit: number
    readonly offset: number
  },
): Promise<ClaimRow[]> => {
  const { states, kinds, owner, among, order, withCustomers = false, limit, offset } = selection
  const values = [now, states, kinds, limit, offset, owner ?? null, among ?? null]
  return transaction.query<ClaimRow>(page(order, withCustomers), values)
}

const ONE = `${shown('claims', PRIORITY, false)} where claims.id = $2 and merged_into is null`

/** One claim that is not merged, as of `now`. */
export const claimRow = async (transaction: Transaction, now: Date, id: string): Promise<ClaimRow | undefined> =>
  (await transaction.query<ClaimRow>(ONE, [now, id]))[0]
