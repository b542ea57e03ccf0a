/**
 * How long the faults last. The short form is part of `npm test`; `npm run test:faults` sets FAULTS=long. This is the one place that
 * reads it.
 */
interface Sizes {
  /** Kills of each running program, at random moments. */
  readonly kills: number
  /** How long an engine or a model is away, in milliseconds. */
  readonly awayMs: number
  readonly clickhouseAwayMs: number
  /** Processors that join and leave, and for how long each stays. */
  readonly rebalances: number
  readonly betweenRebalancesMs: number
  /** Signals of one text that are sent at once, and how many processors there are for them. */
  readonly identical: number
  readonly processors: number
  /** Events that wait on the log for ClickHouse. */
  readonly backlog: number
}

const SHORT: Sizes = {
  kills: 1,
  awayMs: 3000,
  clickhouseAwayMs: 3000,
  rebalances: 1,
  betweenRebalancesMs: 1000,
  identical: 200,
  processors: 2,
  backlog: 10_000,
}

const LONG: Sizes = {
  // Two of each program run, so each program is killed 20 times.
  kills: 10,
  awayMs: 15_000,
  clickhouseAwayMs: 120_000,
  rebalances: 10,
  betweenRebalancesMs: 3000,
  identical: 1000,
  processors: 4,
  backlog: 100_000,
}

export const SIZES: Sizes = process.env.FAULTS === 'long' ? LONG : SHORT
