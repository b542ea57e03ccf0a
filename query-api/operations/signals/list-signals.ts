import { accountOf } from '../../../model/signals/accounts.ts'
import { customerFactsOf } from '../../../model/signals/facts.ts'
import {
  type KeptBesideRow,
  keptBesideSignals,
  SIGNAL_ORDERS,
  type SignalSelection,
  selectSignals,
  sourceNamesOf,
} from '../../../model/signals/select-signals.ts'
import { readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { daysIn } from '../../../schemas/domain/days.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { FactsShape, toFacts } from '../parts/customer-facts.ts'
import { erasingNote } from '../parts/erasing.ts'
import { cursor, type Depth, listDepth, nullable, oneOf } from '../parts/fields.ts'
import { decodeCursor, encodeCursor, lineOf, listed, listOf, oneNote } from '../parts/lists.ts'
import {
  Lead,
  leadOf,
  ownExcerpt,
  SIGNAL_LINE,
  SignalShape,
  shownBeginning,
  shownMetadata,
  toSignal,
} from '../parts/signal-shape.ts'
import { Snoozed, snoozeLine, toSnooze } from '../parts/snooze.ts'
import { NO_TEXTS, partialNote, WAIT_MS } from '../parts/words.ts'
import { listOfMatching, MAX_COUNTED } from './matching.ts'
import { needsWords, selectionOf, signalFilters } from './signal-filters.ts'

const MAX_LISTED = 200
const DEFAULT = 50
/** Newest signals from which the sources' names are gathered. */
const LOOKED_THROUGH = 2000

/** Tokens of the sender's own fields in an app list: about a dozen short ones. */
const LINE_METADATA_TOKENS = 250

const ONLY_REPEATED = 'Only Signals that were repeated are listed and counted.'

/** Depth of each signal in a list: the beginning of its text, except at full depth. */
const OF_SIGNAL: Readonly<Record<Depth, Depth>> = { summary: 'summary', standard: 'summary', full: 'full' }

/** The state is a field only when a list can have several. */
const LINE = [...SIGNAL_LINE, 'actor_name', 'account', 'state'] as const

const ListedSignal = Type.Object({
  ...SignalShape.properties,
  account: Type.Optional(nullable(untrustedText({ description: 'That its sender is of, as metadata says it.' }))),
  lead: Lead,
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
  omittedFields: ['channel', 'owner', 'plan', 'tag', 'theme_id'],
  input: Type.Object({
    ...signalFilters,
    order_by: Type.Optional(
      oneOf(SIGNAL_ORDERS, {
        description: 'occurrences: only what was repeated.',
      }),
    ),
    depth: listDepth,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED, description: `Default ${DEFAULT}.` })),
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer({
      description: `No further than ${MAX_COUNTED}. In the app of the first page alone; 0 on others.`,
    }),
    count_is_partial: Type.Boolean({ description: 'There may be more.' }),
    some_words: Type.Boolean({ description: 'None has all of the words: these have some of them.' }),
    noise: Type.Integer({
      description:
        'How much of the state asks for nothing, whatever else is filtered by. With the first page of the app.',
    }),
    sources: Type.Array(Type.Object({ source: untrustedText(), signals: Type.Integer() }), {
      description: `Where the newest ${LOOKED_THROUGH} of the state came from, whatever else is filtered by: the choices that the app shows. With its first page.`,
    }),
    facts: Type.Optional(FactsShape),
    items: listOf(ListedSignal, [...LINE, 'snooze']),
  }),
  run: async (input, { caller, read, services }) => {
    const { workspaceId, via } = caller
    const held = needsWords(input) ? await services.texts.refresh(read, workspaceId, WAIT_MS) : NO_TEXTS
    // Without room for older texts, the database answers every filter except `text`.
    const isPartial = !held.isWhole && !(held.isCut && input.text === undefined)
    return read(async transaction => {
      const now = services.now()
      const order = input.order_by ?? 'occurred_at'
      const cursors = order === 'occurred_at' ? 'signals' : `signals by ${order}`
      const position = decodeCursor(cursors, input.cursor, now)
      const wanted = input.limit ?? (input.depth === 'summary' ? MAX_LIMIT : DEFAULT)
      const selected = { ...(await selectionOf(transaction, input, { held, caller, now })), order }
      const { list, how, hasSomeWords = false } = await listOfMatching(transaction, selected, input, held)
      const isFirst = input.cursor === undefined
      const isOfApp = via.kind === 'app'
      const isFirstOfApp = isFirst && isOfApp
      const [erasing, rows, count, noise, sources, facts, shared] = await Promise.all([
        erasingNote(transaction),
        list.page({ below: position.offset, limit: wanted + 1 }),
        // The app keeps the first page's count; a model reads a page alone.
        isFirst || !isOfApp ? list.count(MAX_COUNTED + 1) : 0,
        isFirstOfApp ? countNoise(transaction, selected) : 0,
        isFirstOfApp ? sourceNamesOf(transaction, input.state ?? null, LOOKED_THROUGH) : [],
        isFirstOfApp ? customerFactsOf(transaction, input.state ?? null, LOOKED_THROUGH) : null,
        readSharedPassages(transaction, workspaceId),
      ])
      const shown = rows.slice(0, wanted)
      const ids = shown.map(({ id }) => id)
      const beside = new Map((await keptBesideSignals(transaction, ids, now)).map(row => [row.id, row]))
      const shownAs = OF_SIGNAL[input.depth ?? 'standard']
      const forPeople = isOfApp && shownAs === 'summary'
      const all = shown.map(row => ({
        ...(forPeople
          ? // Triage in the app: enough of the text to decide, with its metadata.
            {
              ...toSignal(row, shownAs, shownBeginning(row)),
              metadata: shownMetadata(row.metadata, LINE_METADATA_TOKENS),
              ...leadOf(row, shared),
            }
          : toSignal(row, shownAs, ownExcerpt(row, shownAs, shared))),
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
          some_words: hasSomeWords,
          noise,
          sources,
          ...(facts !== null && { facts: toFacts(facts) }),
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

/** Noise in the list, with only its filters by state and snooze. */
const countNoise = async (
  transaction: Transaction,
  { state, snoozed, now, order }: SignalSelection,
): Promise<number> => {
  const noise = await selectSignals(transaction, { state, snoozed, now, order, perhaps: 'noise' })
  return noise.count(MAX_COUNTED)
}
