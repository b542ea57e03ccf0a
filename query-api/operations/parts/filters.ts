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

/** A filter's value and its place in the input. */
export interface FilterValue {
  readonly field: string
  readonly value: string
  readonly pointer: string
}

/** Names of objects, sources or people are looked up one by one while other calls wait for the database. */
export const MAX_LOOKED_UP = 100

/** Throws `InvalidArguments` when all filters of a call together have too many names. */
export const requireFewNames = (names: Iterable<string>): void => {
  const count = new Set(names).size
  if (count <= MAX_LOOKED_UP) return
  const message = `name ${count} claims, nodes, groups, sources and actors in all; at most ${MAX_LOOKED_UP} are allowed. Name fewer in one call`
  throw new InvalidArguments('The filters', [{ pointer: '/filters', message }])
}

/** Values of senders, for a sentence. */
export const listedValues = (values: readonly string[]): string => values.map(quotedStrangers).join(', ')

/** Refusal of a value that names nothing; `next` states what to send instead. */
export const namesNothing = ({ field, value, pointer }: FilterValue, next: string): AssayError =>
  new AssayError('invalid_input', `Nothing has ${field} ${JSON.stringify(value)}. ${next}`, {
    violations: [{ pointer, message: `names nothing of the field ${field}` }],
  })

/** Advice with the workspace's most similar values. */
export const nearestOf = (value: string, names: Iterable<string>, none: string): string => {
  const nearest = nearestNames(value, names)
  return nearest.length === 0 ? none : `The nearest that there are: ${listedValues(nearest)}.`
}

/** Throws `invalid_input` with the allowed words for any other word. */
export const refuseOtherWords = (given: FilterValue, allowed: readonly string[]): void => {
  if (!allowed.includes(given.value)) throw namesNothing(given, `It takes ${allowed.join(', ')}.`)
}

/**
 * Ids for a filter's value, by id, reference or name: a claim with the claims merged into it, a node with the nodes
 * below it. Throws `not_found` or `ambiguous`.
 */
export const idsNamed = async (
  transaction: Transaction,
  field: 'claim' | 'node' | 'group' | 'theme',
  value: string,
): Promise<readonly string[]> => {
  const { id } = await resolveOne(transaction, field, value)
  if (field === 'node') return subtreeOf(transaction, id)
  return field === 'claim' ? lineageOf(transaction, id) : [id]
}

/**
 * Meanings of a source's name: the senders' label in any letter case, and the sources with that name or id, deleted
 * ones too. Throws `invalid_input` with the nearest names for an unknown one.
 */
export const namedSource = async (transaction: Transaction, given: FilterValue): Promise<NamedSources> => {
  const labels = await labelsFor(transaction, given.value)
  const found = { labels: spelledAs(given.value, labels), ids: await sourcesNamed(transaction, given.value) }
  if (found.labels.length + found.ids.length > 0) return found
  const names = (await namedSources(transaction)).map(({ name }) => name)
  throw namesNothing(given, nearestOf(given.value, [...labels, ...names], 'No Signal names its source yet.'))
}

/** Most signals with a name's words to look through. With as many, the name alone decides. */
export const MAX_NAMED = 10_000
/** The newest of them, looked through first. */
export const LOOKED_AT_FIRST = 100
/** Signals that share words with an unknown name, as candidates for the nearest names. */
const NEAR = 100

interface NamedSignals {
  /** The signals' spellings. */
  readonly names: readonly string[]
  /** The signals with the words of the name; empty when there are too many. */
  readonly among: readonly (readonly string[])[]
}

/**
 * A value whose last word a search takes as complete: the last word of a search may otherwise begin a longer one, so
 * that `account-1` would find the signals of `account-17`, too.
 */
export const inWholeWords = (value: string): string => `${value} `

const NOBODY_NAMED: Readonly<Record<NamedBySender, string>> = {
  actor_name: 'No Signal says who said it.',
  event: 'No Signal came with an event.',
}

/**
 * Resolves a sender's name in any letter case. Where letter case makes no difference, one spelling is enough. Throws
 * `invalid_input` with the nearest names for a name that no signal has.
 */
export const namesBySenders = async (
  transaction: Transaction,
  held: HeldTexts,
  given: FilterValue & { readonly column: NamedBySender; readonly spellings: 'all' | 'one' },
): Promise<NamedSignals> => {
  const { value: name, column, spellings } = given
  const ids = held.having(inWholeWords(name), 'signal', MAX_NAMED)
  const namesIn = async (some: readonly string[]) => spelledAs(name, await namesAmong(transaction, column, some))
  // Outside of ASCII the database and JavaScript may disagree on lower case, as for a capital sigma.
  const first = spellings === 'all' || !isAscii(name) ? [] : await namesIn(ids.slice(0, LOOKED_AT_FIRST))
  const names = first.length > 0 ? first : await namesIn(ids)
  if (names.length > 0) return { names, among: ids.length < MAX_NAMED && !held.isCut ? [ids] : [] }
  requireRead(held)
  // Older texts are not in memory; the database compares the name as written.
  if (held.isCut) return { names: [name], among: [] }
  const near = held.search(name, ['signal'], NEAR).map(({ id }) => id)
  const nearNames = near.length > 0 ? await namesAmong(transaction, column, near) : []
  const known = nearNames.length > 0 ? nearNames : await newestNames(transaction, column)
  throw namesNothing(given, nearestOf(name, known, NOBODY_NAMED[column]))
}

/** Period of a question. */
export const Time = Type.Object(
  {
    from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Included; default 30 days before to.' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Not included; default now.' })),
    granularity: Type.Optional(oneOf(GRANULARITY_NAMES, { description: 'One row a period. Default one for all.' })),
    time_zone: Type.Optional(Type.String({ maxLength: 100, description: 'A time zone. Its IANA name; default UTC.' })),
  },
  { description: 'The time to look at.' },
)

/** Range of ClickHouse's DateTime, in which the rollups are. */
const EARLIEST = Date.UTC(1970, 0, 3)
const LATEST = Date.UTC(2099, 11, 30)

const refused = (field: string, message: string): AssayError =>
  new AssayError('invalid_input', `time.${field} ${message}.`, { violations: [{ pointer: `/time/${field}`, message }] })

/** A time without an offset is local in the zone. */
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

/** Offsets such as +02:00 are zones for JavaScript, but not for ClickHouse. */
const zoneOf = (name: string): string => {
  try {
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // Refused below, like a misspelled zone.
  }
  throw refused('time_zone', 'must be an IANA time zone, such as Europe/Berlin')
}

/** The period with defaults filled in. Throws `invalid_input` with the faulty field. */
export const timeRange = (time: Static<typeof Time> | undefined, now: Date, defaultDays = 30): TimeRange => {
  const timeZone = zoneOf(time?.time_zone ?? 'UTC')
  const to = time?.to === undefined ? now : instantOf('to', time.to, timeZone)
  const from =
    time?.from === undefined ? new Date(to.getTime() - defaultDays * DAY_MS) : instantOf('from', time.from, timeZone)
  if (from >= to) throw refused('from', 'must be before to')
  return { from, to, granularity: time?.granularity ?? null, timeZone }
}
