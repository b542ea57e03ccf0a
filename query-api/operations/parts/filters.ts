import { isAscii } from '../../../infra/word-index/terms.ts'
import { GRANULARITY_NAMES, instantAt, type TimeRange } from '../../../model/activity/activity-question.ts'
import { lineageOf } from '../../../model/claims/claims.ts'
import { subtreeOf } from '../../../model/map/nodes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { labelsFor, type NamedBySender, namesAmong, newestNames } from '../../../model/signals/known-senders.ts'
import type { NamedSources } from '../../../model/signals/select-signals.ts'
import { namedSources, sourcesNamed } from '../../../model/sources/sources.ts'
import { nearestNames, spelledAs } from '../../../model/words/nearest-names.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { quotedStrangers } from '../../../schemas/domain/strangers.ts'
import { readWritten } from '../../../schemas/http/time.ts'
import { InvalidArguments } from '../call/contract.ts'
import { AssayError, type Static, type Transaction, Type } from '../define.ts'
import { oneOf } from './fields.ts'
import { requireRead } from './words.ts'

/** A value of a filter, and where in the input it stands. */
export interface FilterValue {
  readonly field: string
  readonly value: string
  readonly pointer: string
}

/** Values that name an object, a source or a person are looked up one by one, and others wait for the database. */
export const MAX_LOOKED_UP = 100

/** Throws `InvalidArguments` where all filters of a call together name more than are looked up in one. */
export const requireFewNames = (names: Iterable<string>): void => {
  const count = new Set(names).size
  if (count <= MAX_LOOKED_UP) return
  const message = `name ${count} claims, nodes, groups, sources and actors in all; at most ${MAX_LOOKED_UP} are allowed. Name fewer in one call`
  throw new InvalidArguments('The filters', [{ pointer: '/filters', message }])
}

/** Values that senders wrote, for a sentence. */
export const listedValues = (values: readonly string[]): string => values.map(quotedStrangers).join(', ')

/** The refusal of a value that names nothing; `next` says what to send instead. Nothing was looked for with it. */
export const namesNothing = ({ field, value, pointer }: FilterValue, next: string): AssayError =>
  new AssayError('invalid_input', `Nothing has ${field} ${JSON.stringify(value)}. ${next}`, {
    violations: [{ pointer, message: `names nothing of the field ${field}` }],
  })

/** What to send instead: the values of the workspace that are spelled most alike. */
export const nearestOf = (value: string, names: Iterable<string>, none: string): string => {
  const nearest = nearestNames(value, names)
  return nearest.length === 0 ? none : `The nearest that there are: ${listedValues(nearest)}.`
}

/** Throws `invalid_input` with the allowed words for one that is none of them. */
export const refuseOtherWords = (given: FilterValue, allowed: readonly string[]): void => {
  if (!allowed.includes(given.value)) throw namesNothing(given, `It takes ${allowed.join(', ')}.`)
}

/**
 * The ids that a filter's value stands for, by id, reference or name: a claim with what was merged into it, a node with
 * those below it. Throws `not_found` or `ambiguous`.
 */
export const idsNamed = async (
  transaction: Transaction,
  field: 'claim' | 'node' | 'group',
  value: string,
): Promise<readonly string[]> => {
  const { id } = await resolveOne(transaction, field, value)
  if (field === 'node') return subtreeOf(transaction, id)
  return field === 'claim' ? lineageOf(transaction, id) : [id]
}

/**
 * What a source's name stands for: the senders' own word for where their signals come from, in any letter case, and the
 * sources of that name or id, deleted ones too. Throws `invalid_input` with the nearest names for what is neither.
 */
export const namedSource = async (transaction: Transaction, given: FilterValue): Promise<NamedSources> => {
  const labels = await labelsFor(transaction, given.value)
  const found = { labels: spelledAs(given.value, labels), ids: await sourcesNamed(transaction, given.value) }
  if (found.labels.length + found.ids.length > 0) return found
  const names = (await namedSources(transaction)).map(({ name }) => name)
  throw namesNothing(given, nearestOf(given.value, [...labels, ...names], 'No Signal names its source yet.'))
}

/** How many signals with the words of a name are looked at. Where there are as many, the name alone decides. */
export const MAX_NAMED = 10_000
/** Among so few of them, the newest, it is looked first. */
export const LOOKED_AT_FIRST = 100
/** Among how many signals that share words with an unknown name the nearest ones are looked for. */
const NEAR = 100

interface NamedSignals {
  /** The spellings that signals have. */
  readonly names: readonly string[]
  /** The signals with the words of the name; none said where there are too many to tell. */
  readonly among: readonly (readonly string[])[]
}

/**
 * A value as a search takes it whose last word is whole: a word that ends a search may be the beginning of another, so
 * that `account-1` would have the signals of `account-17`, too.
 */
export const inWholeWords = (value: string): string => `${value} `

const NOBODY_NAMED: Readonly<Record<NamedBySender, string>> = {
  actor_name: 'No Signal says who said it.',
  event: 'No Signal came with an event.',
}

/**
 * What is meant by a name that senders gave, in any letter case. Where letter case tells nothing apart one spelling
 * stands for all. Throws `invalid_input` with the nearest names for one that no signal has.
 */
export const namesBySenders = async (
  transaction: Transaction,
  held: HeldTexts,
  given: FilterValue & { readonly column: NamedBySender; readonly spellings: 'all' | 'one' },
): Promise<NamedSignals> => {
  const { value: name, column, spellings } = given
  const ids = held.having(inWholeWords(name), 'signal', MAX_NAMED)
  const namesIn = async (some: readonly string[]) => spelledAs(name, await namesAmong(transaction, column, some))
  // Of other letters the database does not always make the small ones that JavaScript makes, as of a capital sigma.
  const first = spellings === 'all' || !isAscii(name) ? [] : await namesIn(ids.slice(0, LOOKED_AT_FIRST))
  const names = first.length > 0 ? first : await namesIn(ids)
  if (names.length > 0) return { names, among: ids.length < MAX_NAMED && !held.isCut ? [ids] : [] }
  requireRead(held)
  // Of what is too old to be held the database tells, by the name as it is written.
  if (held.isCut) return { names: [name], among: [] }
  const near = held.search(name, ['signal'], NEAR).map(({ id }) => id)
  const nearNames = near.length > 0 ? await namesAmong(transaction, column, near) : []
  const known = nearNames.length > 0 ? nearNames : await newestNames(transaction, column)
  throw namesNothing(given, nearestOf(name, known, NOBODY_NAMED[column]))
}

/** The time that a question is about. */
export const Time = Type.Object(
  {
    from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Included; default 30 days before to.' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Not included; default now.' })),
    granularity: Type.Optional(oneOf(GRANULARITY_NAMES, { description: 'One row a period. Default one for all.' })),
    time_zone: Type.Optional(Type.String({ maxLength: 100, description: 'A time zone. Its IANA name; default UTC.' })),
  },
  { description: 'The time to look at.' },
)

/** What ClickHouse's DateTime holds without wrapping, and the rollups have. */
const EARLIEST = Date.UTC(1970, 0, 3)
const LATEST = Date.UTC(2099, 11, 30)

const refused = (field: string, message: string): AssayError =>
  new AssayError('invalid_input', `time.${field} ${message}.`, { violations: [{ pointer: `/time/${field}`, message }] })

/** A time without an offset is one of the zone's clocks. */
const instantOf = (field: 'from' | 'to', text: string, zone: string): Date => {
  const written = readWritten(text)
  const at = new Date(
    written === null ? Number.NaN : `${written.day}${written.clock ?? 'T00:00'}${written.offset ?? 'Z'}`,
  )
  if (written === null || Number.isNaN(at.getTime())) {
    throw refused(field, 'must be ISO 8601, such as 2026-01-31 or 2026-01-31T09:30:00Z')
  }
  const instant = written.offset === null ? new Date(instantAt(zone, at.getTime())) : at
  if (instant.getTime() < EARLIEST || instant.getTime() > LATEST) throw refused(field, 'must lie between 1971 and 2099')
  return instant
}

/** Offsets such as +02:00, which JavaScript takes for zones, are none to ClickHouse. */
const zoneOf = (name: string): string => {
  try {
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // Refused below, like what is not even spelled like one.
  }
  throw refused('time_zone', 'must be an IANA time zone, such as Europe/Berlin')
}

/** The range that is meant, defaults filled in. Throws `invalid_input` with the field that is wrong. */
export const timeRange = (time: Static<typeof Time> | undefined, now: Date, defaultDays = 30): TimeRange => {
  const timeZone = zoneOf(time?.time_zone ?? 'UTC')
  const to = time?.to === undefined ? now : instantOf('to', time.to, timeZone)
  const from =
    time?.from === undefined ? new Date(to.getTime() - defaultDays * DAY_MS) : instantOf('from', time.from, timeZone)
  if (from >= to) throw refused('from', 'must be before to')
  return { from, to, granularity: time?.granularity ?? null, timeZone }
}
