import { type Static, Type } from 'typebox'
import {
  added,
  GROUP_STATES,
  type GroupState,
  type ProcessorReport,
  quantile,
} from '../../../model/pipeline/processor-report.ts'
import type { StepName } from '../../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../../schemas/events/topics.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'

/** What waits for a consumer group, over all processes that share it. */
export const Waiting = Type.Object({
  state: oneOf(GROUP_STATES, {
    description: 'paused: held still by people. waiting: for what the reason names. stuck: nobody knows why.',
  }),
  lag: Type.Integer({ description: 'Records that wait on the log.' }),
  oldest_at: nullable(Type.With(instant, { description: 'When the log took the oldest of them.' })),
  reason: Type.String(),
})
type Waiting = Static<typeof Waiting>

/** What a step does in a lane, over all processes, in the last minute. */
export const LaneFigures = Type.Object({
  lane: oneOf(['live', 'bulk']),
  per_second: Type.Number({ description: 'Signals that it worked on.' }),
  retried: Type.Integer({ description: 'Signals that it sent to be tried again.' }),
  dead_lettered: Type.Integer(),
  p50_ms: nullable(Type.Number({ description: 'A signal’s share of the step’s time; null without signals.' })),
  p95_ms: nullable(Type.Number()),
  p95_since_receipt_ms: nullable(Type.Number({ description: 'From the receipt of a signal to the end of the step.' })),
  waiting: nullable(
    Type.With(Waiting, { description: 'Null for a step that others hand over to in memory: only heads have a topic.' }),
  ),
})
type LaneFigures = Static<typeof LaneFigures>

type ReportedGroup = Omit<Waiting, 'oldest_at'> & { readonly oldest_at: number | null }

/** The worst that any process says of a group decides. */
const WORST: readonly GroupState[] = ['stuck', 'waiting', 'paused', 'working']

/** Joins what several processes say of one group: they look at the same log, a moment apart. Null when none says anything. */
export const waitingOf = (reported: readonly ReportedGroup[]): Waiting | null => {
  const [first, ...others] = reported.toSorted((one, other) => WORST.indexOf(one.state) - WORST.indexOf(other.state))
  if (first === undefined) return null
  const { state, reason } = first
  const most = others.reduce((most, each) => (each.lag > most.lag ? each : most), first)
  const { lag, oldest_at: oldest } = most
  return { state, reason, lag, oldest_at: oldest === null ? null : new Date(oldest).toISOString() }
}

/** A step’s figures in a lane, over all processes. */
export const figuresOf = (reports: readonly ProcessorReport[], step: StepName, lane: Lane): LaneFigures => {
  const figures = reports.flatMap(({ steps }) => steps.filter(each => each.step === step && each.lane === lane))
  const window = reports[0]?.window_seconds ?? 1
  const sum = (of: (each: (typeof figures)[number]) => number) => figures.reduce((total, each) => total + of(each), 0)
  const durations = added(figures.map(({ durations }) => durations))
  const ages = added(figures.map(({ ages }) => ages))
  const served = reports.flatMap(({ segments }) => segments.filter(({ head }) => head === step))
  return {
    lane,
    per_second: sum(({ signals }) => signals) / window,
    retried: sum(({ retried }) => retried),
    dead_lettered: sum(({ dead_lettered }) => dead_lettered),
    p50_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
    p95_since_receipt_ms: quantile(ages, 0.95),
    waiting: waitingOf(served.flatMap(({ lanes }) => lanes.filter(each => each.lane === lane))),
  }
}
