import type { Transaction } from '../../infra/postgres/port.ts'
import { CHOSEN_BY, type ChosenBy } from '../../schemas/domain/customer-facts.ts'
import { cameWithFact, companyIn, type Fact, factIn, revenueIn, valuesIn } from '../signals/facts.ts'

/** Newest signals behind a claim that are looked at. */
const LOOKED_AT = 2000

/** Facts of the signals behind `claims.id` and of their repeats, without dismissed ones. */
const BEHIND = `
  with standing as materialized (
    select signals.id, metadata, coalesce(actor_key, actor_email, actor_name, signals.id::text) as actor
    from claim_evidence join signals on signals.id = signal_id
    where claim_id = claims.id and signals.state <> 'dismissed' order by newest_at desc limit ${LOOKED_AT}
  ), behind as (
    select metadata, actor from standing
    union all
    select occurrences.metadata, coalesce(actor_key, actor_email, actor_name, standing.actor)
    from occurrences join standing on occurrences.signal_id = standing.id
  )`

const ACCOUNTS = `(select count(distinct ${companyIn('behind')})::integer from behind)`
const REVENUE = `(select sum(worth) from (
  select max(${revenueIn('behind')}) as worth from behind
  group by coalesce(${companyIn('behind')}, actor)) as companies)`

const SHOWN_VALUES = 3
const FACTS = `(select jsonb_object_agg(fact, frequent) from (
  select fact, jsonb_agg(value order by place) as frequent from (${valuesIn('behind', SHOWN_VALUES)}) as shown
  where fact <> 'account' group by fact) as facts)`

/** Number of companies behind a claim. */
export const ACCOUNTS_BEHIND = `(${BEHIND} select ${ACCOUNTS})`

/** Sum of the companies' revenues, each company with its highest. An actor without a company counts as one. */
export const REVENUE_BEHIND = `(${BEHIND} select ${REVENUE})`

/** Both, and the most frequent values of each other fact as an object of lists, null without any. */
export const CUSTOMERS_BEHIND = `(${BEHIND} select ${ACCOUNTS} as accounts, ${REVENUE} as revenue, ${FACTS} as customer_facts)`

/** The most frequent value of a fact behind a claim, in small letters; null without one. */
export const mostFrequentBehind = (fact: Fact): string =>
  `(${BEHIND} select mode() within group (order by lower(${factIn(fact, 'behind')})) from behind)`

/** Facts by value. A signal must have all of them. */
export type CustomerFilter = Readonly<Partial<Record<ChosenBy, string>>>

/** Ids of the claims with a signal or a repeat that has these facts. */
export const claimsOfCustomers = async (
  transaction: Transaction,
  filter: CustomerFilter,
): Promise<readonly string[]> => {
  const values: string[] = []
  const conditions = CHOSEN_BY.flatMap(fact => {
    const value = filter[fact]
    if (value === undefined) return []
    values.push(value)
    return [{ fact, place: `$${values.length}` }]
  })
  const holds = (row: string) => conditions.map(({ fact, place }) => cameWithFact(fact, row, place)).join(' and ')
  const statement = `
    select distinct claim_id from claim_evidence join signals on signals.id = signal_id
    where (${holds('signals')}) or exists (
      select from occurrences where occurrences.signal_id = signals.id and ${holds('occurrences')})`
  return (await transaction.query<{ claim_id: string }>(statement, values)).map(row => row.claim_id)
}
