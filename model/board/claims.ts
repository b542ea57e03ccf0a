import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { ownedBy, type Person, personIn } from '../members/people.ts'
import { prioritySum, prioritySumOf, ROUNDING_FACTOR } from './order.ts'

/** A claim with what is behind it. */
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
  /** The board's formula over this claim's evidence alone. */
  readonly evidence_priority: number
  readonly actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly solutions: number
  readonly last_evidence_at: Date | null
  /** Who looks after it. */
  readonly owner: Person | null
}

export const CLAIM_ORDERS = ['evidence_priority', 'signals', 'actors', 'last_evidence_at', 'created_at'] as const
export type ClaimOrder = (typeof CLAIM_ORDERS)[number]

/** When the newest of a claim's signals and their repeats happened. */
const LAST_EVIDENCE_AT = `(select max(newest_at) from claim_evidence where claim_id = claims.id)`

// The others are shown as they are now, and need no moment.
const ORDERS: Readonly<Record<Exclude<ClaimOrder, 'evidence_priority'>, string>> = {
  signals: 'coalesce(signals, 0)',
  actors: 'coalesce(actors, 0)',
  last_evidence_at: LAST_EVIDENCE_AT,
  created_at: 'created_at',
}

const CHOSEN = `merged_into is null and state = any ($2) and kind = any ($3) and ${ownedBy('$6')}`

const REACH = '$4::integer + $5::integer'

// The first of them by what they stood at when that was kept say how high the bar is; with fewer than the page reaches
// there is none, and the claims without evidence come in. The compared column stands alone, and claims are looked up
// one by one (`offset 0`), so that the index by priority ends the reading at the bar. How both are exact:
// docs/decisions/0032-solutions-and-the-board.md.
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
      row_number() over (order by ${ORDERS[order]} desc nulls last, number) as place
    from claims left join priority_totals on target_id = id
    where ${CHOSEN}
    order by place limit $4 offset $5
  )`

const PRIORITY = prioritySum('claims.id', '$1::timestamptz')

const shown = (from: string, evidencePriority: string): string => `
  select claims.id, number, kind, title, statement, state, version, created_at, updated_at,
    ${evidencePriority} as evidence_priority,
    coalesce(actors, 0) as actors,
    coalesce(signals, 0) as signals,
    (select count(*)::integer from solution_claims where claim_id = claims.id) as solutions,
    ${LAST_EVIDENCE_AT} as last_evidence_at,
    ${personIn('owner_id')} as owner
  from ${from} left join priority_totals on target_id = claims.id`

const page = (order: ClaimOrder): string =>
  `with ${order === 'evidence_priority' ? BY_PRIORITY : by(order)} ${shown('page join claims using (id)', `coalesce(page.evidence_priority, ${PRIORITY})`)} order by place`

/** A page of the claims that were not merged into others, as of `now`, the highest of `order` first. */
export const claimsPage = (
  transaction: Transaction,
  now: Date,
  selection: {
    readonly states: readonly ClaimState[]
    readonly kinds: readonly ClaimKind[]
    /** Only what this member, or `NOBODY`, looks after. */
    readonly owner?: string | undefined
    readonly order: ClaimOrder
    readonly limit: number
    readonly offset: number
  },
): Promise<ClaimRow[]> => {
  const { states, kinds, owner, order, limit, offset } = selection
  return transaction.query<ClaimRow>(page(order), [now, states, kinds, limit, offset, owner ?? null])
}

const ONE = `${shown('claims', PRIORITY)} where claims.id = $2 and merged_into is null`

/** One claim that was not merged, as of `now`. */
export const claimRow = async (transaction: Transaction, now: Date, id: string): Promise<ClaimRow | undefined> =>
  (await transaction.query<ClaimRow>(ONE, [now, id]))[0]
