import type { ActivityItem } from '../../../model/activity/figures.ts'
import { claimTitles } from '../../../model/claims/claims.ts'
import { nodeNames } from '../../../model/map/nodes.ts'
import { CLOCKS } from '../../../model/signals/happened.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { type ReadContext, readOperation, type Static, Type } from '../define.ts'
import { ANSWER_TOKENS, takeWithinBudget } from '../parts/excerpt.ts'
import { instant, nullable, oneOf } from '../parts/fields.ts'
import { timeRange } from '../parts/filters.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'
import { ActivityInput, Item, refuseOthers } from './activity.ts'
import { answerQuestion, clockOf } from './answer-question.ts'
import { csvHeader, csvLine } from './csv.ts'

/**
 * The rows with the reference and the title of what they are grouped by, where that is a claim or a node that is there.
 */
const nameGroups = async (
  items: readonly ActivityItem[],
  { read }: ReadContext,
): Promise<readonly Static<typeof Item>[]> => {
  const idsOf = (field: 'claim' | 'node') => [
    ...new Set(items.flatMap(({ group }) => group[field] ?? []).filter(isUuid)),
  ]
  const ids = { claims: idsOf('claim'), nodes: idsOf('node') }
  if (ids.claims.length + ids.nodes.length === 0) return items
  const { claims, nodes } = await read(async transaction => ({
    claims: await claimTitles(transaction, ids.claims),
    nodes: await nodeNames(transaction, ids.nodes),
  }))
  return items.map(item => {
    const claim = claims.get(item.group.claim ?? '')
    const node = nodes.get(item.group.node ?? '')
    if (claim === undefined && node === undefined) return item
    const named = {
      ...(claim && { claim: { reference: reference('claim', claim.number), title: claim.title } }),
      ...(node !== undefined && { node: { reference: null, title: node } }),
    }
    return { ...item, named }
  })
}

/** The time that `trending` looks at, and the default of the others, in days. */
const DEFAULT_DAYS = { trending: 7, others: 30 }

export const analyzeActivity = readOperation({
  name: 'analyze_activity',
  title: 'Count and measure what happened',
  summary:
    'Answers figures from the activity log: signals received and each step’s outcome, dead letters, refused requests, code-host events, metric points, tool calls, Decisions. Choose metrics, group_by, time and filters, or a question. Kinds are signal.received, signal.step, signal.dead_letter, source.refused, code_host.event, metric.received, tool.call, decision.made; filter by kind to count one of them. Figures count by when it happened; clock received by when it came. Filters take names and references; a value that never was is refused. Claims and nodes are those that a signal has now. Classification is known from the step that finds it on: filter step insert, outcome next to count stored signals by it.',
  units: 5,
  role: 'viewer',
  audience: 'everyone',
  input: ActivityInput,
  hints: { group_by: 'rows over time come of time.granularity, such as {"granularity":"week"}, beside group_by' },
  output: Type.Object({
    from: instant,
    to: instant,
    time_zone: Type.String(),
    clock: oneOf(CLOCKS, { description: 'The time that the figures count by.' }),
    rollup: nullable(
      oneOf(['hour', 'day'], {
        description: 'Summed from rollups: quantiles are within 1 %, all else exact. Null: from single events.',
      }),
    ),
    note: nullable(Type.String({ description: 'How to read the figures.' })),
    count: Type.Integer({ description: 'Rows in all.' }),
    items: Type.Array(Item),
    csv: Type.Optional(
      strangersText({ description: 'RFC 4180. Only the first page has the header: pages join to one file.' }),
    ),
  }),
  run: async (input, context) => {
    const { question, format } = input
    if (question !== undefined) refuseOthers(question, input)
    const position = decodeCursor('activity', input.cursor, context.services.now())
    const days = question === 'trending' ? DEFAULT_DAYS.trending : DEFAULT_DAYS.others
    const range = timeRange(input.time, position.at, days)
    const { items, count, rollup, note } = await answerQuestion(input, range, position.offset, context)
    const shown = takeWithinBudget(await nameGroups(items, context), ANSWER_TOKENS)
    const header = position.offset === 0 ? csvHeader(shown[0]) : ''
    return {
      data: {
        from: range.from.toISOString(),
        to: range.to.toISOString(),
        time_zone: range.timeZone,
        clock: clockOf(input),
        rollup,
        note,
        count,
        items: format === 'csv' ? [] : [...shown],
        ...(format === 'csv' ? { csv: `${header}${shown.map(csvLine).join('')}` } : {}),
      },
      nextCursor: nextCursor('activity', position, shown.length, count),
    }
  },
})
