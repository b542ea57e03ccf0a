import { accountOf } from '../../../model/signals/accounts.ts'
import {
  type KeptBesideRow,
  keptBesideSignals,
  SIGNAL_ORDERS,
  sourceNamesOf,
} from '../../../model/signals/select-signals.ts'
import { daysIn } from '../../../schemas/domain/days.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { erasingNote } from '../parts/erasing.ts'
import { cursor, type Depth, listDepth, nullable, oneOf } from '../parts/fields.ts'
import { decodeCursor, encodeCursor, lineOf, listed, listOf, oneNote } from '../parts/lists.ts'
import { SIGNAL_LINE, SignalShape, shownBeginning, shownMetadata, toSignal } from '../parts/signal-shape.ts'
import { Snoozed, snoozeLine, toSnooze } from '../parts/snooze.ts'
import { NO_TEXTS, partialNote, WAIT_MS } from '../parts/words.ts'
import { listOfMatching, MAX_COUNTED } from './matching.ts'
import { needsWords, selectionOf, signalFilters } from './signal-filters.ts'

const MOST = 200
const DEFAULT = 50
/** Among how many of the newest the names of sources are gathered. */
const LOOKED_THROUGH = 2000

/** The sender's own fields in a list of the app: a dozen short ones. */
const LINE_METADATA_TOKENS = 250

const ONLY_REPEATED = 'Only Signals that were repeated are listed and counted.'

/** What a list shows of each Signal: the beginning of its text, unless all is asked for. */
const OF_SIGNAL: Readonly<Record<Depth, Depth>> = { summary: 'summary', standard: 'summary', full: 'full' }

/** Where any state is listed, each says its own. */
const LINE = [...SIGNAL_LINE, 'actor_name', 'account', 'state'] as const

const ListedSignal = Type.Object({
  ...SignalShape.properties,
  account: Type.Optional(nullable(strangersText({ description: 'That its sender is of, as metadata says it.' }))),
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
    order_by: Type.Optional(
      oneOf(SIGNAL_ORDERS, {
        description: 'occurrences: the most repeated first. Only what was repeated is listed then.',
      }),
    ),
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
    items: listOf(ListedSignal, [...LINE, 'snooze']),
  }),
  run: async (input, { caller, read, services }) => {
    const { workspaceId, via } = caller
    const held = needsWords(input) ? await services.texts.refresh(read, workspaceId, WAIT_MS) : NO_TEXTS
    // Where there is no room for older texts, the database answers all but what their words say.
    const isPartial = !held.isWhole && !(held.isCut && input.text === undefined)
    return read(async transaction => {
      const now = services.now()
      const order = input.order_by ?? 'occurred_at'
      const cursors = order === 'occurred_at' ? 'signals' : `signals by ${order}`
      const position = decodeCursor(cursors, input.cursor, now)
      const wanted = input.limit ?? (input.depth === 'summary' ? MAX_LIMIT : DEFAULT)
      const selected = { ...(await selectionOf(transaction, input, { held, caller, now })), order }
      const { list, how } = await listOfMatching(transaction, selected, input, held)
      const isFirst = input.cursor === undefined
      const isOfApp = via.kind === 'app'
      const [erasing, rows, count, sources] = await Promise.all([
        erasingNote(transaction),
        list.page({ below: position.offset, limit: wanted + 1 }),
        // The app keeps what its first page said; a model reads a page alone.
        isFirst || !isOfApp ? list.count(MAX_COUNTED + 1) : 0,
        isFirst && isOfApp ? sourceNamesOf(transaction, input.state ?? null, LOOKED_THROUGH) : [],
      ])
      const shown = rows.slice(0, wanted)
      const ids = shown.map(({ id }) => id)
      const beside = new Map((await keptBesideSignals(transaction, ids, now)).map(row => [row.id, row]))
      const shownAs = OF_SIGNAL[input.depth ?? 'standard']
      const forPeople = isOfApp && shownAs === 'summary'
      const all = shown.map(row => ({
        ...(forPeople
          ? // What they decide by, line by line: enough of the words to read, and what came with it.
            {
              ...toSignal(row, shownAs, shownBeginning(row)),
              metadata: shownMetadata(row.metadata, LINE_METADATA_TOKENS),
            }
          : toSignal(row, shownAs)),
        account: accountOf(row.metadata),
        ...shownBeside(beside.get(row.id)),
      }))
      const fields = input.state === undefined ? LINE : LINE.filter(field => field !== 'state')
      const dayOf = daysIn(input.time?.time_zone ?? 'UTC')
      const line = (one: (typeof all)[number]) => ({ ...lineOf(one, fields, dayOf), ...snoozeLine(one.snooze) })
      const { items, note } = listed(input, all, { line, isWhole: isOfApp })
      const last = rows.length > items.length ? shown[items.length - 1] : undefined
      return {
        data: {
          count: Math.min(count, MAX_COUNTED),
          count_is_partial: count > MAX_COUNTED || isPartial,
          sources,
          items,
        },
        note: oneNote(
          isPartial ? partialNote(held) : null,
          order === 'occurrences' ? ONLY_REPEATED : null,
          how,
          note,
          erasing,
        ),
        nextCursor: last === undefined ? null : encodeCursor(cursors, { ...position, offset: last.number }),
      }
    })
  },
})

const shownBeside = (row: KeptBesideRow | undefined) => ({
  snooze: toSnooze(row),
  duplicate_of: row === undefined || row.original === null ? null : reference('signal', row.original),
})
