import type { Filter } from '../../../model/activity/activity-question.ts'
import type { Field, Metric, TimeRange } from '../../../model/activity/activity-vocabulary.ts'
import { readFigures } from '../../../model/activity/figures.ts'
import { previousPeriod } from '../../../model/activity/previous-period.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import type { ReadContext } from '../define.ts'
import { DEFAULT_LIMIT } from '../parts/fields.ts'
import { type ActivityPage, pageOf } from './activity-answer.ts'
import { type ActivityInput, orderOf } from './activity-input.ts'
import { noteOnEvents } from './event-notes.ts'
import { FUNNEL_NOTE, funnel } from './funnel.ts'
import { placeSignals } from './place-signals.ts'
import { resolveFilters } from './resolve-filters.ts'
import { SOURCES_NOTE, sourceFigures } from './source-figures.ts'
import { NO_PAST_NOTE, pastOf, TRENDING_NOTE, trending } from './trending.ts'

const LATENCY_METRICS: readonly Metric[] = ['p95_elapsed_ms', 'p50_elapsed_ms', 'count']
/** From a signal's receipt to its row. */
const INSERTED: readonly Filter[] = [
  { field: 'kind', op: 'in', values: ['signal.step'] },
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** By which time the answer counts: health of sources and latency are of requests, as they came. */
export const clockOf = ({ question, clock }: Pick<ActivityInput, 'question' | 'clock'>): Clock =>
  question === 'latency' || question === 'sources' ? 'received' : (clock ?? 'occurred')

/** Answers one page of what is asked. */
export const answerQuestion = async (
  input: ActivityInput,
  range: TimeRange,
  offset: number,
  context: ReadContext,
): Promise<ActivityPage> => {
  const { question } = input
  const { services, caller } = context
  const page = { limit: input.limit ?? DEFAULT_LIMIT, offset }
  const groupBy = input.group_by ?? []
  const filters = await resolveFilters(input.filters ?? [], context)
  const before = input.compare === true ? previousPeriod(range) : null
  const clock = clockOf(input)
  const placed = (fields: readonly Field[], from: Date) =>
    placeSignals({ clock, from, to: range.to, groupBy: fields, filters }, context)
  const figures = async (metrics: readonly Metric[], kept: readonly Filter[]): Promise<ActivityPage> => {
    const order = orderOf(input.order, metrics, range.granularity)
    const places = await placed(groupBy, before?.from ?? range.from)
    return {
      ...(await readFigures(
        services.analytics,
        caller.workspaceId,
        { ...range, clock, metrics, groupBy, filters: kept, places, order, before },
        page,
      )),
      note: noteOnEvents({ metrics: question === 'latency' ? [] : metrics, groupBy, filters, places }),
    }
  }

  if (question === 'funnel')
    return pageOf(await funnel(context, { ...range, clock }, input.compare === true), page, FUNNEL_NOTE)
  if (question === 'sources') return pageOf(await sourceFigures(context, range), page, SOURCES_NOTE)
  if (question === 'trending') {
    const fields = input.group_by ?? (['node'] as const)
    const question = { range, clock, groupBy: fields, filters, places: await placed(fields, pastOf(range)) }
    const risen = await trending(services.analytics, caller.workspaceId, question)
    return pageOf(risen ?? [], page, risen === null ? NO_PAST_NOTE : TRENDING_NOTE)
  }
  if (question === 'latency') return figures(LATENCY_METRICS, [...INSERTED, ...filters])
  return figures(input.metrics ?? ['count'], filters)
}
