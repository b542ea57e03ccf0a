import { addressGroup } from '../../infra/runtime/addresses.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Counted } from '../../infra/runtime/window-counts.ts'
import { createDrawnCounts } from '../http/drawn-counts.ts'
import type { Body } from './bodies.ts'

/** Rules for counting the tries of a route, when they differ from the usual ones. */
export interface TryRules {
  /**
   * True when a success counts too, because each one stores something and anybody can repeat it: a question, a queued
   * mail, an account.
   */
  readonly begins?: (body: Body) => boolean
  /** A success completes what another route began, and takes its count back. */
  readonly ends?: true
  /** A success shows that the account belongs to the person who tried. */
  readonly proves?: true
}

export interface Tried {
  readonly address: string
  /** An e-mail address, or the signed-in person's id; null when neither is known. */
  readonly account: string | null
  readonly rules: TryRules
  readonly body: Body
}

export interface Tries {
  /**
   * Counts a try before it runs, so that concurrent tries count as well. Answers a function to call after a success.
   * Rejects with `rate_limited` when the account or the address has used up its tries.
   */
  begin(tried: Tried): () => void
}

/** For one account from one address, successes included: no person needs more. */
export const TRIES_A_MINUTE = 20
/** For one address over all accounts: people in an office mistype, too. */
export const FAILURES_A_MINUTE = 100
/** For one address: tries that were begun and not completed, such as visits to an issuer. */
export const BEGUN_A_MINUTE = 300
/** For one account from all addresses, without those from which the account has signed in. */
export const FAILURES_AN_HOUR = 100

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS

const fromThisAddress = (seconds: number): string => `Too many tries from this address. Try again in ${seconds} s.`
const atThisAccount = (seconds: number): string => `Too many tries at this account. Try again in ${seconds} s.`

/** Throws `rate_limited` when the count exceeds the limit; null counts as 0. */
const refuseOver = (limit: number, counted: Counted | null, sentence: (seconds: number) => string): void => {
  if (counted === null || counted.times <= limit) return
  throw new AssayError('rate_limited', sentence(counted.seconds), { retryAfterSeconds: counted.seconds })
}

/**
 * Limits guesses by account and by failures. A person's success costs other people of the same address nothing. A
 * guesser does not block an address from which the account has signed in before.
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

/** For many sign-ins from one place, as in tests. */
export const NO_LIMIT: Tries = { begin: () => () => {} }
