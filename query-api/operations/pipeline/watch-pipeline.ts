import { type Static, Type } from 'typebox'
import { pausedStepsBy } from '../../../model/pipeline/paused-steps.ts'
import { type ProcessorReport, readReports } from '../../../model/pipeline/processor-report.ts'
import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'
import { figuresOf, LaneFigures, Waiting, waitingOf } from './lane-figures.ts'

const Pause = Type.Object({
  reason: Type.String(),
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

/** Which steps hand over to each other in memory, as the processors say. */
const segmentsOf = (reports: readonly ProcessorReport[]): ReadonlyMap<StepName, ProcessorReport['segments'][number]> =>
  new Map(
    reports.flatMap(({ segments }) => segments.flatMap(segment => segment.steps.map(step => [step, segment] as const))),
  )

/** What the names of consumer groups all begin with. */
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
  worksAs: 'assay_accounts',
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
