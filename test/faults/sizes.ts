import { ENGINE_NAMES, type EngineName } from '../../infra/stack/engine.ts'
import type { ProgramName } from '../support/programs.ts'

/**
 * How long the faults last. The short form is part of `npm test`; `npm run test:faults` sets FAULTS=long. This is the
 * one place that reads it.
 */
interface Sizes {
  /** How many of the edge and of the query API are up. */
  readonly programs: number
  /** What goes away and comes back under one load and one count, one engine after the other. */
  readonly away: readonly (readonly EngineName[])[]
  /**
   * Which programs are killed under one load and one count, and how often, at random moments. Those of a kind take
   * turns.
   */
  readonly kills: readonly Partial<Readonly<Record<ProgramName, number>>>[]
  /** How long an engine or a model is away, in milliseconds. */
  readonly unavailableMs: number
  readonly clickhouseUnavailableMs: number
  /** Processors that join and leave, and for how long each stays. */
  readonly rebalances: number
  readonly betweenRebalancesMs: number
  /** How long each of three senders waits between two signals, in milliseconds. */
  readonly betweenSignalsMs: number
  /** Signals of one text that are sent at once, and how many processors there are for them. */
  readonly identical: number
  readonly processors: number
  /** Events that wait on the log for ClickHouse. */
  readonly backlog: number
  /** How many dear signals a batch has, and how long Kafka waits for a silent member: less than the batch takes. */
  readonly dear: { readonly signals: number; readonly sessionMs: number }
}

const SHORT: Sizes = {
  // Several of each answer for one installation in test/end-to-end/engines.test.ts.
  programs: 1,
  // The registry is away while a processor joins that knows no schema.
  away: [['kafka'], ['postgres', 'clickhouse', 'valkey']],
  // One of the processors is killed where there are two more, then one.
  kills: [{ ingest: 1, 'query-api': 1 }],
  unavailableMs: 3000,
  clickhouseUnavailableMs: 3000,
  // There are two more, then one.
  rebalances: 0,
  betweenRebalancesMs: 1000,
  betweenSignalsMs: 250,
  // More than a batch of each lane: some meet in one, others in two.
  identical: 60,
  processors: 2,
  backlog: 10_000,
  dear: { signals: 16, sessionMs: 3000 },
}

const LONG: Sizes = {
  programs: 2,
  away: ENGINE_NAMES.map(engine => [engine]),
  // Ten of each program that runs.
  kills: [{ ingest: 20 }, { processors: 40 }, { 'query-api': 20 }],
  unavailableMs: 15_000,
  clickhouseUnavailableMs: 120_000,
  rebalances: 10,
  betweenRebalancesMs: 3000,
  betweenSignalsMs: 100,
  identical: 1000,
  processors: 4,
  backlog: 100_000,
  dear: { signals: 50, sessionMs: 6000 },
}

export const IS_LONG = process.env.FAULTS === 'long'

export const SIZES: Sizes = IS_LONG ? LONG : SHORT
