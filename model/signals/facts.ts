import type { Transaction } from '../../infra/postgres/port.ts'
import { CHOSEN_BY, type ChosenBy, CUSTOMER_KEYS } from '../../schemas/domain/customer-facts.ts'
import { SIGNAL_STATES, type SignalState } from '../../schemas/domain/vocabulary.ts'
import { newestOfEach } from './happened.ts'

/** Facts of a customer by which events are counted. */
export const FACT_KEYS = {
  account: CUSTOMER_KEYS.account,
  plan: CUSTOMER_KEYS.plan,
  language: CUSTOMER_KEYS.language,
} as const
export type Fact = keyof typeof FACT_KEYS
export const FACTS = ['account', 'plan', 'language'] as const satisfies readonly Fact[]

export const isFact = (field: string): field is Fact => FACTS.some(fact => fact === field)

/** Expression for a fact in a row's metadata; null without it. */
export const factIn = (fact: Fact, row: string): string =>
  `left(coalesce(${FACT_KEYS[fact].map(key => `nullif(${row}.metadata ->> '${key}', '')`).join(', ')}), 200)`

/** Expression for the company that a row came from, in one letter case; null without one. */
export const companyIn = (row: string): string => `lower(${factIn('account', row)})`

export const revenueIn = (row: string): string => `revenue_in(${row}.metadata)`

/** Condition: a row of signals or repeats has a fact, in any letter case; `value` is the parameter. */
export const cameWithFact = (fact: ChosenBy, row: string, value: string): string =>
  fact === 'tag'
    ? `exists (select from unnest(tags_in(${row}.metadata)) as tag where lower(tag) = lower(${value}))`
    : `lower(${factIn(fact, row)}) = lower(${value})`

const hasValue = (table: string, fact: ChosenBy): string =>
  `exists (select from ${table} where ${cameWithFact(fact, table, '$1')})`

/** True when a signal or a repeat has this value, in any letter case. Reads all rows when none has. */
export const isKnownFact = async (transaction: Transaction, fact: ChosenBy, value: string): Promise<boolean> => {
  const statement = `select ${hasValue('signals', fact)} or ${hasValue('occurrences', fact)} as is_known`
  const [row] = await transaction.query<{ is_known: boolean }>(statement, [value])
  return row?.is_known ?? false
}

const MAX_VALUES = 50

const factRows = (rows: string): string =>
  [
    ...FACTS.map(fact => `select '${fact}' as fact, ${factIn(fact, rows)} as value from ${rows}`),
    `select 'tag', tag from ${rows} cross join unnest(tags_in(${rows}.metadata)) as tag`,
  ].join(' union all ')

/** Query for the `most` frequent values of each fact in a table of rows, as `fact`, `value` and `place`. */
export const valuesIn = (rows: string, most: number): string => `
  select fact, value, place from (
    select fact, min(value collate "C") as value,
      row_number() over (partition by fact order by count(*) desc, lower(value)) as place
    from (${factRows(rows)}) as facts where value is not null group by fact, lower(value)
  ) as counted where place <= ${most}`

const VALUES = `
  with newest as materialized (
    select metadata from signals where id in (${newestOfEach('$1', 'true', '$2')}) and metadata <> '{}'
  )
  select fact, value from (
    ${valuesIn('newest', MAX_VALUES)}
    union all
    (select 'revenue', '', 1 from newest where ${revenueIn('newest')} is not null limit 1)
  ) as present order by fact, place`

/** Facts of the newest signals' customers, most frequent first. */
export interface CustomerFacts {
  readonly values: Readonly<Record<ChosenBy, readonly string[]>>
  /** True when one of them has a revenue. */
  readonly hasRevenue: boolean
}

/** Customer facts of the `newest` signals of a state, or of each state. */
export const customerFactsOf = async (
  transaction: Transaction,
  state: SignalState | null,
  newest: number,
): Promise<CustomerFacts> => {
  const rows = await transaction.query<{ fact: ChosenBy | 'revenue'; value: string }>(VALUES, [
    state === null ? SIGNAL_STATES : [state],
    newest,
  ])
  const valuesOf = (fact: ChosenBy) => rows.flatMap(row => (row.fact === fact ? [row.value] : []))
  const [account, plan, language, tag] = CHOSEN_BY.map(valuesOf) as [string[], string[], string[], string[]]
  return { values: { account, plan, language, tag }, hasRevenue: rows.some(({ fact }) => fact === 'revenue') }
}
