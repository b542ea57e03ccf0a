import { addressGroup } from '../../infra/runtime/addresses.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Counted } from '../../infra/runtime/window-counts.ts'
import { createDrawnCounts } from '../http/drawn-counts.ts'
import type { Body } from './bodies.ts'

/** How a way into the accounts is counted, where it is not as the others are. */
export interface TryRules {
  /**
   * Whether a success counts too, since anybody may have any number of them and each leaves something stored: a
   * question, a mail that waits, an account.
   */
  readonly begins?: (body: Body) => boolean
  /** A success ends what another way began, which then counts no more. */
  readonly ends?: true
  /** A success shows that the account is that of whoever tried. */
  readonly proves?: true
}

export interface Tried {
  readonly address: string
  /** An e-mail address, or the id of who is signed in; null where neither is known. */
  readonly account: string | null
  readonly rules: TryRules
  readonly body: Body
}

export interface Tries {
  /**
   * Counts a try before it is made, so that many at once count as well, and answers what to do once it succeeded.
   * Rejects with `rate_limited` where the account or the address has used its tries up.
   */
  begin(tried: Tried): () => void
}

/** Of one account from one address, whether they succeed or not: more are no person's. */
export const TRIES_A_MINUTE = 20
/** Of one address, for all accounts together: an office has people who mistype. */
export const FAILURES_A_MINUTE = 100
/** Of one address: what was begun and not ended, such as the way to an issuer. */
export const BEGUN_A_MINUTE = 300
/** Of one account from all addresses together, except those that it signed in from. */
export const FAILURES_AN_HOUR = 100

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS

const fromThisAddress = (seconds: number): string => `Too many tries from this address. Try again in ${seconds} s.`
const atThisAccount = (seconds: number): string => `Too many tries at this account. Try again in ${seconds} s.`

/** Throws `rate_limited` where more was counted than may be; null counts as nothing. */
const refuseOver = (limit: number, counted: Counted | null, sentence: (seconds: number) => string): void => {
  if (counted === null || counted.times <= limit) return
  throw new AssayError('rate_limited', sentence(counted.seconds), { retryAfterSeconds: counted.seconds })
}

/**
 * Limits guesses, by account and by failures: a success of one person takes nothing from the others of an office, whom
 * we see behind one address. A guesser at work there stops nobody who has signed in from there before.
 */
export const createTries = (): Tries => {
  const pairs = createDrawnCounts(MINUTE_SECONDS)
  const failures = createDrawnCounts(MINUTE_SECONDS)
  const begun = createDrawnCounts(MINUTE_SECONDS)
  const accounts = createDrawnCounts(HOUR_SECONDS)
  const proven = createDrawnCounts(MONTH_SECONDS)

  return {
    begin: ({ address, account, rules, body }) => {
      const group = addressGroup(address)
      const pair = account === null ? null : `${account} ${group}`
      const isProven = pair !== null && proven.read(pair) !== null
      const [counts, limit] = rules.begins?.(body) === true ? [begun, BEGUN_A_MINUTE] : [failures, FAILURES_A_MINUTE]
      if (!isProven) {
        refuseOver(limit - 1, counts.read(group), fromThisAddress)
        if (account !== null) refuseOver(FAILURES_AN_HOUR - 1, accounts.read(account), atThisAccount)
      }
      if (pair !== null) refuseOver(TRIES_A_MINUTE, pairs.count(pair), atThisAccount)
      counts.count(group)
      if (account !== null) accounts.count(account)
      return () => {
        if (counts === failures) counts.giveBack(group)
        if (account !== null) accounts.giveBack(account)
        if (rules.ends) begun.giveBack(group)
        if (rules.proves && pair !== null) proven.count(pair)
      }
    },
  }
}

/** Where people sign in very often from one place, as tests do. */
export const NO_LIMIT: Tries = { begin: () => () => {} }
