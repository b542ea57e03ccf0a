import { resolveOne } from '../../../model/references/resolve.ts'
import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { ACCOUNT_KEYS } from '../../../model/signals/accounts.ts'
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
import { CHANNELS, CLASSIFICATIONS, SIGNAL_ORIGINS, SIGNAL_STATES } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Caller, type Static, type Transaction, Type } from '../define.ts'
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
  node_id: Type.Optional(Type.With(identifier, { description: 'A node of the map: Signals at it or below it.' })),
  source: text('As the sender named it, or a source’s name or id.'),
  channel: Type.Optional(oneOf(CHANNELS)),
  signal_origin: Type.Optional(oneOf(SIGNAL_ORIGINS)),
  actor_name: text('Who said it.'),
  event: text('As the sender named it, such as ticket.opened.'),
  account: text('The account that it came from: metadata account, company, organization or customer.'),
  language: text('Metadata language, lang or locale.'),
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
      description: 'Words, or SIG-7. What has all of them or near ones, else what has some; meta.note tells which.',
    }),
  ),
  claim: Type.Optional(oneOf(['with', 'without'], { description: 'Whether they are evidence of a claim.' })),
  claim_id: Type.Optional(Type.With(identifier, { description: 'Only of this claim. They are evidence of it.' })),
  owner: ownerFilter,
  snoozed: Type.Optional(
    oneOf(['hidden', 'only', 'shown'], {
      description: 'Those in Triage that sleep. Default hidden with state triage, else shown.',
    }),
  ),
}

const Filters = Type.Object(signalFilters)
type SignalFilters = Static<typeof Filters>

/** In days: back to the first time that a question can be about. */
const WHOLE_TIME = 20_000

/** The time that is asked for, to the next moment where it has no end. */
const timeOf = ({ time, clock }: SignalFilters, now: Date): SignalSelection['time'] => {
  if (time !== undefined) return { ...timeRange(time, now, WHOLE_TIME), clock: clock ?? 'occurred' }
  if (clock === undefined) return
  throw new AssayError('invalid_input', 'clock says which time the filter time means. Send time with it.', {
    violations: [{ pointer: '/clock', message: 'needs time' }],
  })
}

const SIGNAL = /^\s*sig-(\d{1,9})\s*$/i

/** Whether the words of the workspace are needed to tell what the filters mean. */
export const needsWords = ({ text, actor_name, event, account, language, metadata }: SignalFilters): boolean =>
  [text, actor_name, event, account, language, metadata].some(given => given !== undefined)

/** The number of the Signal that a text names and nothing else. */
export const numberNamedIn = (text: string): number | undefined => {
  const number = SIGNAL.exec(text)?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * What the filters select, as of `now`, but for the words of `text`. Throws `not_found` or `ambiguous` for a node or a
 * claim, and `invalid_input` with the nearest values for a source, a speaker, an event or metadata that neither a
 * Signal nor a repeat has.
 */
export const selectionOf = async (
  transaction: Transaction,
  filters: SignalFilters,
  { held, caller, now }: { readonly held: HeldTexts; readonly caller: Caller; readonly now: Date },
): Promise<Omit<SignalSelection, 'order'>> => {
  const { state, node_id, claim_id, source, actor_name, event, signal_origin } = filters
  const snoozed = filters.snoozed ?? (state === 'triage' ? 'hidden' : 'shown')
  const { classification, channel, claim } = filters
  const named = async (column: NamedBySender, value: string | undefined) =>
    value === undefined
      ? null
      : namesBySenders(transaction, held, { field: column, column, value, pointer: `/${column}`, spellings: 'one' })
  const actors = await named('actor_name', actor_name)
  const events = await named('event', event)
  const byMetadata = await metadataSelection(transaction, held, filters)
  return {
    state,
    snoozed,
    classification,
    channel,
    claim,
    signalOrigin: signal_origin,
    ownerId: await ownerId(transaction, caller, filters.owner),
    among: [...(actors?.among ?? []), ...(events?.among ?? []), ...byMetadata.among],
    actorNames: actors?.names,
    events: events?.names,
    metadata: byMetadata.metadata,
    now,
    time: timeOf(filters, now),
    node: node_id === undefined ? undefined : (await resolveOne(transaction, 'node', node_id)).id,
    claimId: claim_id === undefined ? undefined : (await resolveOne(transaction, 'claim', claim_id)).id,
    source:
      source === undefined
        ? undefined
        : await namedSource(transaction, { field: 'source', value: source, pointer: '/source' }),
  }
}

/** Of the signals with a value's words, so many are looked at for one that has it there. */
const LOOKED_AT = 1000

/** Which keys of metadata senders tell an account or a language by. */
const KEYS = {
  account: ACCOUNT_KEYS,
  language: ['language', 'lang', 'locale'],
} as const

type Wanted = NonNullable<SignalSelection['metadata']>[number] & { readonly field: string; readonly pointer: string }

/** The filters that metadata answers. */
interface MetadataFilters {
  readonly account?: string
  readonly language?: string
  readonly metadata?: Readonly<Record<string, string>>
}

const wantedOf = ({ account, language, metadata = {} }: MetadataFilters): readonly Wanted[] => [
  ...(account === undefined ? [] : [{ field: 'account', pointer: '/account', keys: KEYS.account, value: account }]),
  ...(language === undefined
    ? []
    : [{ field: 'language', pointer: '/language', keys: KEYS.language, value: language }]),
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
 * What the filters by metadata select: `among` are the signals whose words have each value, where they are few enough
 * to tell. Throws `invalid_input` with the nearest values, or the keys that there are, for a value that neither a
 * Signal nor a repeat has.
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

/** Whether one of the first of these signals or a repeat of them has it: as a rule one of the first few. */
const isAmong = async (transaction: Transaction, ids: readonly string[], wanted: Wanted): Promise<boolean> =>
  (await has(transaction, wanted, { ids: ids.slice(0, LOOKED_AT_FIRST) })) ||
  (ids.length > LOOKED_AT_FIRST && (await has(transaction, wanted, { ids: ids.slice(0, LOOKED_AT) }))) ||
  (await isRepeatedWith(transaction, ids.slice(0, LOOKED_AT), wanted))

// Long metadata is not in the words to its end, and a value may have no words.
const requireKnown = async (transaction: Transaction, held: HeldTexts, wanted: Wanted): Promise<void> => {
  if (await has(transaction, wanted, { newest: LOOKED_AT_FIRST })) return
  const known = await metadataValues(transaction, wanted.keys, { newest: LOOKED_THROUGH })
  if (known.some(value => value.toLowerCase() === wanted.value.toLowerCase())) return
  if (await isRepeatedWith(transaction, null, wanted)) return
  requireRead(held)
  // What is too old to be held the database tells.
  if (held.isCut) return
  const keys = nearestNames(wanted.field, await metadataKeys(transaction), MOST_KEYS_SHOWN)
  const none =
    keys.length === 0
      ? 'No Signal came with metadata.'
      : `No Signal came with it. Keys that there are: ${listedValues(keys)}.`
  throw namesNothing(wanted, nearestOf(wanted.value, known, none))
}
const MOST_KEYS_SHOWN = 20
