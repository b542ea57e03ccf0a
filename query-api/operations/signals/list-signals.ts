import { Type } from 'typebox'
import {
  type KeptBesideRow,
  keptBesideSignals,
  selectSignals,
  sourceNamesOf,
} from '../../../model/signals/select-signals.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, encodeCursor } from '../parts/cursor.ts'
import { cursor, instant, nullable } from '../parts/fields.ts'
import { SignalShape, toSignal } from '../parts/signal-shape.ts'
import { selectionOf, signalFilters } from './signal-filters.ts'

const MOST = 200
const DEFAULT = 50
/** A filtered list is counted so far, and no further. */
const MAX_COUNTED = 10_000
/** How many are listed where none has all of the words. */
const MAX_NEAR = 200
/** Among how many of the newest the names of sources are gathered. */
const LOOKED_THROUGH = 2000

const Snoozed = Type.Object({
  until: nullable(instant),
  until_signals: nullable(Type.Integer({ description: 'Signals and repeats at its claim that wake it.' })),
  signals: Type.Integer({ description: 'How many there are.' }),
  is_active: Type.Boolean({ description: 'False: it has come back.' }),
  snoozed_by: Type.String(),
})

const ListedSignal = Type.Object({
  ...SignalShape.properties,
  snooze: nullable(Snoozed),
  duplicate_of: nullable(Type.String({ description: 'What a person said it repeats.' })),
})

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
    count_is_partial: Type.Boolean(),
    sources: Type.Array(Type.Object({ source: strangersText(), signals: Type.Integer() }), {
      description: `Where the newest ${LOOKED_THROUGH} of the state came from. With the first page.`,
    }),
    items: Type.Array(ListedSignal),
  }),
  run: async (input, { caller: { workspaceId }, read, services }) => {
    if (input.text !== undefined) await services.texts.refresh(read, workspaceId)
    const { texts } = services
    const withAll = (text: string) => texts.having(workspaceId, text, 'signal', MAX_COUNTED)
    const withSome = (text: string) => texts.search(workspaceId, text, ['signal'], MAX_NEAR).map(({ id }) => id)
    return read(async transaction => {
      const now = services.now()
      const position = decodeCursor('signals', input.cursor, now)
      const wanted = input.limit ?? DEFAULT
      const having = await selectSignals(transaction, await selectionOf(transaction, input, withAll, now))
      const isEmpty = input.text !== undefined && (await having.count(1)) === 0
      const list = isEmpty
        ? await selectSignals(transaction, await selectionOf(transaction, input, withSome, now))
        : having
      const rows = await list.page({ below: position.offset, limit: wanted + 1 })
      const shown = rows.slice(0, wanted)
      const ids = shown.map(({ id }) => id)
      const beside = new Map((await keptBesideSignals(transaction, ids, now)).map(row => [row.id, row]))
      const isFirst = input.cursor === undefined
      const count = isFirst ? await list.count(MAX_COUNTED + 1) : 0
      const last = rows.length > wanted ? shown.at(-1) : undefined
      return {
        data: {
          count: Math.min(count, MAX_COUNTED),
          count_is_partial: count > MAX_COUNTED,
          sources: isFirst ? await sourceNamesOf(transaction, input.state ?? 'triage', LOOKED_THROUGH) : [],
          items: shown.map(row => ({ ...toSignal(row, 'summary'), ...shownBeside(beside.get(row.id)) })),
        },
        nextCursor: last === undefined ? null : encodeCursor('signals', { ...position, offset: last.number }),
      }
    })
  },
})

const shownBeside = (row: KeptBesideRow | undefined) => ({
  snooze:
    row === undefined || row.snoozed_by === null
      ? null
      : {
          until: row.until?.toISOString() ?? null,
          until_signals: row.until_signals,
          signals: row.signals,
          is_active: row.is_active ?? false,
          snoozed_by: row.snoozed_by,
        },
  duplicate_of: row === undefined || row.original === null ? null : reference('signal', row.original),
})
