import { resolveOne } from '../../../model/references/resolve.ts'
import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { FACT_KEYS, FACTS } from '../../../model/signals/facts.ts'
import { CLOCKS } from '../../../model/signals/happened.ts'
import {
  isRepeatedWith,
  LOOKED_THROUGH,
  type MetadataOf,
  metadataKeys,
  metadataValues,
  type NamedBySender,
} from '../../../model/signals/known-senders.ts'
import type { SignalSelection } from '../../../model/signals/select-signals.ts'
import { nearestNames } from '../../../model/words/nearest-names.ts'
import {
  CHANNELS,
  CLASSIFICATIONS,
  PERHAPS,
  SIGNAL_ORIGINS,
  SIGNAL_STATES,
} from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Caller, type Static, type Transaction, Type } from '../define.ts'
import { requireKnownFact } from '../parts/customer-facts.ts'
import { identifier, oneOf } from '../parts/fields.ts'
import {
  inWholeWords,
  LOOKED_AT_FIRST,
  listedValues,
  MAX_NAMED,
  namedSource,
  namesBySenders,
  namesNothing,
  nearestOf,
  Time,
  timeRange,
} from '../parts/filters.ts'
import { ownerFilter, ownerId } from '../parts/people.ts'
import { requireRead } from '../parts/words.ts'

const MAX_METADATA_FILTERS = 5

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }))

const clock = Type.Optional(oneOf(CLOCKS, { description: 'Which time counts. Default occurred.' }))

export const signalFilters = {
  state: Type.Optional(oneOf(SIGNAL_STATES, { description: 'Default all.' })),
  classification: Type.Optional(oneOf(CLASSIFICATIONS)),
  perhaps: Type.Optional(oneOf(PERHAPS)),
  node_id: Type.Optional(Type.With(identifier, { description: 'A node of the map: Signals at it or below it.' })),
  source: text('As the sender named it, or a source’s name or id.'),
  channel: Type.Optional(oneOf(CHANNELS)),
  signal_origin: Type.Optional(oneOf(SIGNAL_ORIGINS)),
  actor_name: text('Who said it.'),
  event: text('Such as ticket.opened.'),
  account: text('Metadata account or company.'),
  language: text('Metadata language, lang or locale.'),
  plan: text('Metadata plan.'),
  tag: text('One of metadata tags or labels.'),
  metadata: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ minLength: 1, maxLength: 300 }), {
      maxProperties: MAX_METADATA_FILTERS,
      description: 'Told beside it, such as {"plan":"team"}. All must hold.',
    }),
  ),
  time: Type.Optional(
    Type.Object(
      {
        from: Type.Optional(Type.With(Time.properties.from, { description: 'ISO 8601; included. Default the first.' })),
        to: Time.properties.to,
        time_zone: Time.properties.time_zone,
      },
      { description: 'Only Signals of this time.' },
    ),
  ),
  clock,
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words, or SIG-7. All of them or near ones, else some; meta.note tells which.',
    }),
  ),
  claim: Type.Optional(oneOf(['with', 'without'], { description: 'Whether they are evidence of a claim.' })),
  claim_id: Type.Optional(Type.With(identifier, { description: 'Only of this claim. They are evidence of it.' })),
  theme_id: Type.Optional(Type.With(identifier, { description: 'Only of this theme, such as THM-2.' })),
  owner: ownerFilter,
  snoozed: Type.Optional(
    oneOf(['hidden', 'only', 'shown'], {
      description: 'Those in Triage that sleep. Default hidden with state triage, else shown.',
    }),
  ),
}

const Filters = Type.Object(signalFilters)
type SignalFilters = Static<typeof Filters>

/** Days back to the earliest possible time of a question. */
const WHOLE_TIME = 20_000

/** The requested period; without an end it lasts to the next moment. */
const timeOf = ({ time, clock }: SignalFilters, now: Date): SignalSelection['time'] => {
  if (time !== undefined) return { ...timeRange(time, now, WHOLE_TIME), clock: clock ?? 'occurred' }
  if (clock === undefined) return
  throw new AssayError('invalid_input', 'clock says which time the filter time means. Send time with it.', {
    violations: [{ pointer: '/clock', message: 'needs time' }],
  })
}

const SIGNAL = /^\s*sig-(\d{1,9})\s*$/i

/** True when the filters need the workspace's words. */
export const needsWords = ({ text, actor_name, event, account, language, plan, metadata }: SignalFilters): boolean =>
  [text, actor_name, event, account, language, plan, metadata].some(given => given !== undefined)

/** Number of the signal when the text is only its reference. */
export const numberNamedIn = (text: string): number | undefined => {
  const number = SIGNAL.exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * The selection for the filters at `now`, without the words of `text`. Throws `not_found` or `ambiguous` for a node, a
 * claim or a theme, and `invalid_input` with the nearest values for a source, speaker, event or metadata that no signal
 * or repeat has.
 */
export const selectionOf = async (
  transaction: Transaction,
  filters: SignalFilters,
  { held, caller, now }: { readonly held: HeldTexts; readonly caller: Caller; readonly now: Date },
): Promise<Omit<SignalSelection, 'order'>> => {
  const { state, node_id, claim_id, theme_id, source, actor_name, event, signal_origin } = filters
  const snoozed = filters.snoozed ?? (state === 'triage' ? 'hidden' : 'shown')
  const { classification, perhaps, channel, claim } = filters
  const named = async (column: NamedBySender, value: string | undefined) =>
    value === undefined
      ? null
      : namesBySenders(transaction, held, { field: column, column, value, pointer: `/${column}`, spellings: 'one' })
  const actors = await named('actor_name', actor_name)
  const events = await named('event', event)
  const byMetadata = await metadataSelection(transaction, held, filters)
  if (filters.tag !== undefined) await requireKnownFact(transaction, 'tag', filters.tag)
  return {
    state,
    snoozed,
    classification,
    perhaps,
    channel,
    claim,
    signalOrigin: signal_origin,
    ownerId: await ownerId(transaction, caller, filters.owner),
    among: [...(actors?.among ?? []), ...(events?.among ?? []), ...byMetadata.among],
    actorNames: actors?.names,
    events: events?.names,
    metadata: byMetadata.metadata,
    tag: filters.tag,
    now,
    time: timeOf(filters, now),
    node: node_id === undefined ? undefined : (await resolveOne(transaction, 'node', node_id)).id,
    claimId: claim_id === undefined ? undefined : (await resolveOne(transaction, 'claim', claim_id)).id,
    themeId: theme_id === undefined ? undefined : (await resolveOne(transaction, 'theme', theme_id)).id,
    source:
      source === undefined
        ? undefined
        : await namedSource(transaction, { field: 'source', value: source, pointer: '/source' }),
  }
}

/** Signals with a value's words that are checked for the value in its field. */
const LOOKED_AT = 1000

type Wanted = NonNullable<SignalSelection['metadata']>[number] & { readonly field: string; readonly pointer: string }

interface MetadataFilters {
  readonly account?: string
  readonly language?: string
  readonly plan?: string
  readonly metadata?: Readonly<Record<string, string>>
}

const wantedOf = ({ metadata = {}, ...facts }: MetadataFilters): readonly Wanted[] => [
  ...FACTS.flatMap(field => {
    const value = facts[field]
    return value === undefined ? [] : [{ field, pointer: `/${field}`, keys: FACT_KEYS[field], value }]
  }),
  ...Object.entries(metadata).map(([key, value]) => ({
    field: `metadata ${JSON.stringify(key)}`,
    pointer: '/metadata',
    keys: [key],
    value,
  })),
]

const has = async (transaction: Transaction, { keys, value }: Wanted, of: MetadataOf): Promise<boolean> => {
  const values = await metadataValues(transaction, keys, of)
  return values.some(known => known.toLowerCase() === value.toLowerCase())
}

/**
 * The selection for the metadata filters: `among` has the signals with each value's words, if there are few enough.
 * Throws `invalid_input` with the nearest values, or the existing keys, for a value that no signal or repeat has.
 */
const metadataSelection = async (
  transaction: Transaction,
  held: HeldTexts,
  filters: MetadataFilters,
): Promise<{ readonly metadata: SignalSelection['metadata']; readonly among: readonly (readonly string[])[] }> => {
  const metadata: Wanted[] = []
  const among: (readonly string[])[] = []
  for (const wanted of wantedOf(filters)) {
    metadata.push(wanted)
    const ids = held.having(inWholeWords(wanted.value), 'signal', MAX_NAMED)
    if (ids.length < MAX_NAMED && !held.isCut && (await isAmong(transaction, ids, wanted))) among.push(ids)
    else await requireKnown(transaction, held, wanted)
  }
  return { metadata, among }
}

/** True when one of the first of these signals, or a repeat of them, has the value: usually one of the first few. */
const isAmong = async (transaction: Transaction, ids: readonly string[], wanted: Wanted): Promise<boolean> =>
  (await has(transaction, wanted, { ids: ids.slice(0, LOOKED_AT_FIRST) })) ||
  (ids.length > LOOKED_AT_FIRST && (await has(transaction, wanted, { ids: ids.slice(0, LOOKED_AT) }))) ||
  (await isRepeatedWith(transaction, ids.slice(0, LOOKED_AT), wanted))

// The indexed words may lack the end of long metadata, and a value may have no words.
const requireKnown = async (transaction: Transaction, held: HeldTexts, wanted: Wanted): Promise<void> => {
  if (await has(transaction, wanted, { newest: LOOKED_AT_FIRST })) return
  const known = await metadataValues(transaction, wanted.keys, { newest: LOOKED_THROUGH })
  if (known.some(value => value.toLowerCase() === wanted.value.toLowerCase())) return
  if (await isRepeatedWith(transaction, null, wanted)) return
  requireRead(held)
  // The database decides for texts that are too old for the memory.
  if (held.isCut) return
  const keys = nearestNames(wanted.field, await metadataKeys(transaction), MAX_KEYS_SHOWN)
  const none =
    keys.length === 0
      ? 'No Signal came with metadata.'
      : `No Signal came with it. Keys that there are: ${listedValues(keys)}.`
  throw namesNothing(wanted, nearestOf(wanted.value, known, none))
}
const MAX_KEYS_SHOWN = 20
