import type { Transaction } from '../../infra/postgres/port.ts'
import { CUSTOMER_KEYS } from '../../schemas/domain/customer-facts.ts'

const ACCOUNT_KEYS = CUSTOMER_KEYS.account

const ACCOUNT = `coalesce(${ACCOUNT_KEYS.map(key => `nullif(metadata ->> '${key}', '')`).join(', ')})`

/** The account of a signal, as an SQL expression over its metadata. */
export const accountIn = (): string => `left(${ACCOUNT}, 200)`

const NAMED_CHARACTERS = 80

/** The account in metadata, cut as in lists; null without one. */
export const accountOf = (metadata: Readonly<Record<string, unknown>>): string | null => {
  const named = ACCOUNT_KEYS.map(key => metadata[key]).find(value => typeof value === 'string' && value !== '')
  return typeof named === 'string' ? Array.from(named).slice(0, NAMED_CHARACTERS).join('') : null
}

/** Newest signals behind a Solution that are looked at. */
export const MAX_LOOKED_AT = 2000

const BEHIND = `
  with behind as (
    select distinct signal_id, newest_at from solution_claims join claim_evidence using (workspace_id, claim_id)
    where solution_id = $1 order by newest_at desc limit ${MAX_LOOKED_AT}
  ), standing as (
    select id, metadata from signals join behind on id = signal_id where state <> 'dismissed'
  ), said as (
    select ${accountIn()} as account from standing
    union all
    select ${accountIn()} from occurrences where signal_id in (select id from standing)
  )
  select account, count(*)::integer as signals from said where account is not null
  group by account order by signals desc, account limit $2`

/** An account with its number of signals and repeats among the newest, without dismissed ones. */
export interface AccountBehind {
  readonly account: string
  readonly signals: number
}

/** Accounts behind a Solution, most signals first, at most `most`. */
export const accountsBehind = (
  transaction: Transaction,
  solutionId: string,
  most: number,
): Promise<readonly AccountBehind[]> => transaction.query<AccountBehind>(BEHIND, [solutionId, most])
