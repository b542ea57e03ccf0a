import type { Transaction } from '../../infra/postgres/port.ts'

/** Which keys of metadata senders tell an account by, the usual one first. */
export const ACCOUNT_KEYS = ['account', 'account_name', 'company', 'organization', 'organisation', 'customer'] as const

const ACCOUNT = `coalesce(${ACCOUNT_KEYS.map(key => `nullif(metadata ->> '${key}', '')`).join(', ')})`

/** The account that a signal came from: of the metadata in a statement that has one of its own. */
export const accountIn = (): string => `left(${ACCOUNT}, 200)`

const NAMED_CHARACTERS = 80

/** The same of metadata that was read, as short as a list has it; null where it says none. */
export const accountOf = (metadata: Readonly<Record<string, unknown>>): string | null => {
  const named = ACCOUNT_KEYS.map(key => metadata[key]).find(value => typeof value === 'string' && value !== '')
  return typeof named === 'string' ? Array.from(named).slice(0, NAMED_CHARACTERS).join('') : null
}

/** So many of the newest signals behind a Solution are looked at. */
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

/**
 * An account, and how many signals and repeats it has among those looked at: none of a signal that was dismissed, as
 * evidence is counted anywhere.
 */
export interface AccountBehind {
  readonly account: string
  readonly signals: number
}

/** The accounts behind a Solution, those with most signals first, `most` at most. */
export const accountsBehind = (
  transaction: Transaction,
  solutionId: string,
  most: number,
): Promise<readonly AccountBehind[]> => transaction.query<AccountBehind>(BEHIND, [solutionId, most])
