import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { SELECT_SIGNALS, type SignalRow } from '../../../model/signals/read-signals.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, encodeCursor } from '../parts/cursor.ts'
import { cursor, instant, nullable } from '../parts/fields.ts'
import { SignalShape, toSignal } from '../parts/signal-shape.ts'
import { type Filter, filterOf, signalFilters } from './signal-filters.ts'

const MOST = 200
const DEFAULT = 50
/** A filtered list is counted so far, and no further. */
const MAX_COUNTED = 10_000
/** Among how many of the newest the names of sources are gathered. */
const LOOKED_THROUGH = 2000

const Snoozed = Type.Object({
  until: nullable(instant),
  until_signals: nullable(Type.Integer({ description: 'Signals and repeats at its claim that wake it.' })),
  signals: Type.Integer({ description: 'How many there are.' }),
  asleep: Type.Boolean({ description: 'False: it has come back.' }),
  by: Type.String(),
})

const ListedSignal = Type.Object({
  ...SignalShape.properties,
  snooze: nullable(Snoozed),
  duplicate_of: nullable(Type.String({ description: 'What a person said it repeats.' })),
})

interface AsideRow {
  readonly id: string
  readonly until: Date | null
  readonly until_signals: number | null
  readonly signals: number
  readonly asleep: boolean | null
  readonly snoozed_by: string | null
  readonly original: number | null
}

/** What is kept beside the few of a page that were put off or repeat another. */
const ASIDE = `
  select asked.id, until, until_signals, snoozed_by, case when snoozes.signal_id is null then 0 else signals_about(asked.id) end as signals,
    asked.id in (select signal_id from sleeping_signals($2)) as asleep,
    (select number from signals where signals.id = (select signal_id from occurrences where occurrences.id = asked.id)) as original
  from unnest($1::uuid[]) as asked (id)
  left join snoozes on snoozes.signal_id = asked.id
  where snoozes.signal_id is not null or asked.id in (select id from occurrences where id = any ($1::uuid[]))`

const countOf = async (transaction: Transaction, { where, values }: Filter): Promise<number> => {
  const statement = `select count(*)::integer as count from (select from signals where ${where} limit ${MAX_COUNTED + 1}) as listed`
  return (await transaction.query<{ count: number }>(statement, values))[0]?.count ?? 0
}

const SOURCES = `
  select source, count(*)::integer as signals
  from (select source from signals where state = $1 order by number desc limit ${LOOKED_THROUGH}) as newest
  where source is not null group by source order by signals desc, source limit 50`

export const listSignals = readOperation({
  name: 'list_signals',
  title: 'Signals, as Triage shows them to people',
  summary:
    'Lists Signals the newest first by state, classification, node, source, channel, words, claim and snooze, with how each was put off. A page has up to 200, with texts cut.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    ...signalFilters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: `Default ${DEFAULT}.` })),
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer({ description: `No further than ${MAX_COUNTED}. Of the first page alone; 0 on others.` }),
    more_than_counted: Type.Boolean(),
    sources: Type.Array(Type.Object({ source: Type.String(), signals: Type.Integer() }), {
      description: `Where the newest ${LOOKED_THROUGH} of the state came from. With the first page.`,
    }),
    items: Type.Array(ListedSignal),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const now = services.now()
      const position = decodeCursor('signals', input.cursor, now)
      const wanted = input.limit ?? DEFAULT
      const filter = await filterOf(transaction, input, now)
      const { where, values } = filter
      const page = `${SELECT_SIGNALS} where ${where} and ($${values.length + 1} = 0 or number < $${values.length + 1})
        order by number desc limit $${values.length + 2}`
      const rows = await transaction.query<SignalRow>(page, [...values, position.offset, wanted + 1])
      const shown = rows.slice(0, wanted)
      const aside = new Map(
        (await transaction.query<AsideRow>(ASIDE, [shown.map(({ id }) => id), now])).map(row => [row.id, row]),
      )
      const isFirst = input.cursor === undefined
      const count = isFirst ? await countOf(transaction, filter) : 0
      const last = rows.length > wanted ? shown.at(-1) : undefined
      return {
        data: {
          count: Math.min(count, MAX_COUNTED),
          more_than_counted: count > MAX_COUNTED,
          sources: isFirst
            ? await transaction.query<{ source: string; signals: number }>(SOURCES, [input.state ?? 'triage'])
            : [],
          items: shown.map(row => ({ ...toSignal(row, 'summary'), ...besides(aside.get(row.id)) })),
        },
        nextCursor: last === undefined ? null : encodeCursor('signals', { ...position, offset: last.number }),
      }
    }),
})

const besides = (row: AsideRow | undefined) => ({
  snooze:
    row === undefined || row.snoozed_by === null
      ? null
      : {
          until: row.until?.toISOString() ?? null,
          until_signals: row.until_signals,
          signals: row.signals,
          asleep: row.asleep ?? false,
          by: row.snoozed_by,
        },
  duplicate_of: row === undefined || row.original === null ? null : reference('signal', row.original),
})
