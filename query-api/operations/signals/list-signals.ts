import {
  type KeptBesideRow,
  keptBesideSignals,
  selectSignals,
  sourceNamesOf,
} from '../../../model/signals/select-signals.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, type Depth, instant, listDepth, nullable } from '../parts/fields.ts'
import { decodeCursor, encodeCursor, listed, listOf } from '../parts/lists.ts'
import { SIGNAL_LINE, SignalShape, shownBeginning, shownMetadata, toSignal } from '../parts/signal-shape.ts'
import { NO_TEXTS, partialNote, WAIT_MS } from '../parts/words.ts'
import { havingText, needsWords, selectionOf, signalFilters } from './signal-filters.ts'

const MOST = 200
const DEFAULT = 50
/** A filtered list is counted so far, and no further. */
const MAX_COUNTED = 10_000
/** How many are listed where none has all of the words. */
const MAX_NEAR = 200
/** Among how many of the newest the names of sources are gathered. */
const LOOKED_THROUGH = 2000

/** The sender's own fields in a list of the app: a dozen short ones. */
const LINE_METADATA_TOKENS = 250

/** What a list shows of each Signal: the beginning of its text, unless all is asked for. */
const OF_SIGNAL: Readonly<Record<Depth, Depth>> = { summary: 'summary', standard: 'summary', full: 'full' }

/** Where any state is listed, each says its own. */
const LINE = [...SIGNAL_LINE, 'state'] as const

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
  title: 'Signals, by any filter',
  summary:
    'Lists Signals, those that happened last first, by state, classification, node, source, channel, origin, speaker, event, account, language, metadata, time, words, claim, owner and snooze, with how each was put off. A value that no Signal has is refused with the nearest ones. A page has as many as fit, at most 200, with texts cut.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  unlisted: ['channel', 'owner'],
  input: Type.Object({
    ...signalFilters,
    depth: listDepth,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, description: `Default ${DEFAULT}.` })),
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer({
      description: `No further than ${MAX_COUNTED}. In the app of the first page alone; 0 on others.`,
    }),
    count_is_partial: Type.Boolean({ description: 'There may be more.' }),
    sources: Type.Array(Type.Object({ source: strangersText(), signals: Type.Integer() }), {
      description: `Where the newest ${LOOKED_THROUGH} of the state came from, whatever else is filtered by: the choices that the app shows. With its first page.`,
    }),
    items: listOf(ListedSignal, LINE),
  }),
  run: async (input, { caller, read, services }) => {
    const { workspaceId, via } = caller
    const held = needsWords(input) ? await services.texts.refresh(read, workspaceId, WAIT_MS) : NO_TEXTS
    // Where there is no room for older texts, the database answers all but what their words say.
    const isPartial = !held.isWhole && !(held.isCut && input.text === undefined)
    const withAll = (text: string) => held.having(text, 'signal', MAX_COUNTED)
    const withSome = (text: string) => held.search(text, ['signal'], MAX_NEAR).map(({ id }) => id)
    return read(async transaction => {
      const now = services.now()
      const position = decodeCursor('signals', input.cursor, now)
      const wanted = input.limit ?? (input.depth === 'summary' ? MAX_LIMIT : DEFAULT)
      const selected = await selectionOf(transaction, input, { held, caller, now })
      const having = await selectSignals(transaction, havingText(selected, input.text, withAll))
      const isEmpty = input.text !== undefined && (await having.count(1)) === 0
      const list = isEmpty ? await selectSignals(transaction, havingText(selected, input.text, withSome)) : having
      const rows = await list.page({ below: position.offset, limit: wanted + 1 })
      const shown = rows.slice(0, wanted)
      const ids = shown.map(({ id }) => id)
      const beside = new Map((await keptBesideSignals(transaction, ids, now)).map(row => [row.id, row]))
      const isFirst = input.cursor === undefined
      // The app keeps what its first page said; a model reads a page alone.
      const count = isFirst || via.kind === 'key' ? await list.count(MAX_COUNTED + 1) : 0
      const shownAs = OF_SIGNAL[input.depth ?? 'standard']
      const forPeople = via.kind === 'app' && shownAs === 'summary'
      const all = shown.map(row => ({
        ...(forPeople
          ? // What they decide by, line by line: enough of the words to read, and what came with it.
            {
              ...toSignal(row, shownAs, shownBeginning(row)),
              metadata: shownMetadata(row.metadata, LINE_METADATA_TOKENS),
            }
          : toSignal(row, shownAs)),
        ...shownBeside(beside.get(row.id)),
      }))
      const line = input.state === undefined ? LINE : SIGNAL_LINE
      const { items, note } = listed(input, all, { line, isWhole: via.kind === 'app' })
      const last = rows.length > items.length ? shown[items.length - 1] : undefined
      return {
        data: {
          count: Math.min(count, MAX_COUNTED),
          count_is_partial: count > MAX_COUNTED || isPartial,
          sources:
            isFirst && via.kind === 'app' ? await sourceNamesOf(transaction, input.state ?? null, LOOKED_THROUGH) : [],
          items,
        },
        note: (isPartial ? partialNote(held) : null) ?? note,
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
