import { pausedStepsBy } from '../../../model/pipeline/paused-steps.ts'
import {
  added,
  GROUP_STATES,
  type GroupState,
  type ProcessorReport,
  quantile,
  readReports,
} from '../../../model/pipeline/processor-report.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../../schemas/events/topics.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'

/** Records that wait for a consumer group, over all of its processes. */
const Waiting = Type.Object({
  state: oneOf(GROUP_STATES, {
    description: 'paused: held still by people. waiting: for what the reason names. stuck: nobody knows why.',
  }),
  lag: Type.Integer({ description: 'Records that wait on the log.' }),
  oldest_at: nullable(Type.With(instant, { description: 'When the log took the oldest of them.' })),
  reason: ownText(),
})
type Waiting = Static<typeof Waiting>

/** Work of a step in a lane in the last minute, over all processes. */
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

/** The worst state that any process reports counts. */
const WORST: readonly GroupState[] = ['stuck', 'waiting', 'paused', 'working']

/**
 * Joins several processes' reports of a group: they look at the same log at slightly different times. Null without
 * reports.
 */
const waitingOf = (reported: readonly ReportedGroup[]): Waiting | null => {
  const [first, ...others] = reported.toSorted((one, other) => WORST.indexOf(one.state) - WORST.indexOf(other.state))
  if (first === undefined) return null
  const { state, reason } = first
  const most = others.reduce((most, each) => (each.lag > most.lag ? each : most), first)
  const { lag, oldest_at: oldest } = most
  return { state, reason, lag, oldest_at: oldest === null ? null : new Date(oldest).toISOString() }
}

/** Figures of a step in a lane, over all processes. */
const figuresOf = (reports: readonly ProcessorReport[], step: StepName, lane: Lane): LaneFigures => {
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

const Pause = Type.Object({
  reason: ownText(),
  paused_at: instant,
  paused_by: nullable(Type.String({ description: 'Null for who does not administer the installation.' })),
})
type Pause = Static<typeof Pause>

const Step = Type.Object({
  step: oneOf(STEPS),
  head: nullable(
    Type.String({ description: 'The head of its segment, on whose topic it waits; null: no processor serves it.' }),
  ),
  pause: nullable(Pause),
  paused_with: Type.Array(Type.String(), {
    description: 'Paused steps of its segment: while there are any, it stands still too.',
  }),
  lanes: Type.Array(LaneFigures),
})

const ONLY_ADMINISTRATORS =
  'A pause holds the whole installation still, everybody’s signals included: an administrator pauses and resumes steps. Settings → Installation says who that is.'

/**
 * Segments by step, from the processors' reports. A topic that earlier heads left also has a segment, which is a part
 * of the present one; the longest counts.
 */
const segmentsOf = (reports: readonly ProcessorReport[]): ReadonlyMap<StepName, ProcessorReport['segments'][number]> =>
  new Map(
    reports
      .flatMap(({ segments }) => segments)
      .toSorted((one, other) => one.steps.length - other.steps.length)
      .flatMap(segment => segment.steps.map(step => [step, segment] as const)),
  )

/** Common beginning of consumer groups' names. */
const GROUP_PREFIX = /^assay\./

const queuesOf = (reports: readonly ProcessorReport[]) => {
  const groups = Map.groupBy(
    reports.flatMap(({ queues }) => queues),
    ({ group }) => group,
  )
  return [...groups].flatMap(([group, found]) => {
    const waiting = waitingOf(found)
    return waiting === null ? [] : [{ queue: group.replace(GROUP_PREFIX, ''), ...waiting }]
  })
}

export const watchPipeline = readOperation({
  name: 'watch_pipeline',
  title: 'The pipeline at this moment',
  summary:
    'Answers what each step does in each lane over the last minute, what waits for it on the log and since when, and what people hold still; of the whole installation, as its processors said within the last seconds.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    processors: Type.Integer({ description: 'Processes that serve the pipeline.' }),
    last_report_at: nullable(instant),
    steps: Type.Array(Step, { description: 'In their order.' }),
    queues: Type.Array(Type.Object({ queue: Type.String(), ...Waiting.properties }), {
      description: 'What waits to be tried again, and for the sinks.',
    }),
    can_pause: Type.Boolean(),
    unavailable_reason: nullable(Type.String()),
  }),
  run: async (_input, { read, caller }) => {
    const can_pause = caller.via.kind === 'app' && caller.via.administers
    const { reports, last_at, paused } = await read(async transaction => {
      const paused = await pausedStepsBy(transaction, can_pause)
      return { ...(await readReports(transaction)), paused }
    })
    const segments = segmentsOf(reports)
    return {
      data: {
        processors: reports.length,
        last_report_at: last_at?.toISOString() ?? null,
        steps: STEPS.map(step => {
          const found = paused.find(each => each.step === step)
          const segment = segments.get(step)
          return {
            step,
            head: segment?.head ?? null,
            pause: found === undefined ? null : pauseOf(found),
            paused_with: paused.map(each => each.step).filter(each => each !== step && segment?.steps.includes(each)),
            lanes: [figuresOf(reports, step, 'live'), figuresOf(reports, step, 'bulk')],
          }
        }),
        queues: queuesOf(reports),
        can_pause,
        unavailable_reason: can_pause ? null : ONLY_ADMINISTRATORS,
      },
    }
  },
})

const pauseOf = ({ reason, paused_at, paused_by }: Awaited<ReturnType<typeof pausedStepsBy>>[number]): Pause => ({
  reason,
  paused_at: paused_at.toISOString(),
  paused_by,
})
