import type { TArrayOptions, TSchema } from 'typebox'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { daysIn } from '../../../schemas/domain/days.ts'
import { DAY_MS, HOUR_MS } from '../../../schemas/domain/durations.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { OWN_WORDS } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { ANSWER_TOKENS, type Excerpt, excerptWithin, takeWithinBudget } from './excerpt.ts'
import { DEFAULT_LIMIT, type Depth } from './fields.ts'

/** What a page of a list takes at most. A page is as long as that holds, so the shorter an item, the more of them. */
const PAGE_TOKENS: Readonly<Record<Depth, number>> = { summary: 3000, standard: ANSWER_TOKENS, full: ANSWER_TOKENS }

interface Requested {
  readonly depth?: Depth
  readonly limit?: number
  /** Days are those of the zone that is asked for. */
  readonly time?: { readonly time_zone?: string }
}

/** How many items to read for a page: those asked for, else 20, or of summaries all that can fit. */
export const pageSize = ({ depth, limit }: Requested): number =>
  limit ?? (depth === 'summary' ? MAX_LIMIT : DEFAULT_LIMIT)

/**
 * What an item says in a line: some of its fields, or what is made of it, under the same names: what strangers wrote is
 * known by these.
 */
type Line<Item> = readonly (keyof Item & string)[] | ((item: Item) => object)

/** The calendar day of a moment, as it is written. */
type DayOf = (at: Date) => string

interface Listing<Item> {
  readonly line: Line<Item>
  /** Tokens that the answer takes beside its items. */
  readonly beside?: number
  /** Whether a page is as long as its limit: one that people see in the app, and no model reads. */
  readonly isWhole?: boolean
}

/**
 * The items of a page as the depth shows them, as many as its tokens hold and one at least, and a note where these are
 * fewer than the limit asks for.
 */
export const listed = <Item extends object>(
  { depth = 'standard', limit, time }: Requested,
  items: readonly Item[],
  { line, beside = 0, isWhole = false }: Listing<Item>,
): { readonly items: Item[]; readonly note: string | null } => {
  // Whoever asks for summaries reads lines; for all others the items are what they are declared to be.
  const dayOf = daysIn(time?.time_zone ?? 'UTC')
  const shown = depth === 'summary' ? items.map(item => toLine(item, line, dayOf) as Item) : items
  const fitting = isWhole ? [...shown] : takeWithinBudget(shown, PAGE_TOKENS[depth] - beside)
  const isCut = limit !== undefined && fitting.length < items.length
  const note = `${fitting.length} of the ${limit} asked for fit this page; next_cursor goes on.`
  return { items: fitting, note: isCut ? note : null }
}

/** What there is to say of a list, in one text; null where that is nothing. */
export const oneNote = (...notes: readonly (string | null)[]): string | null =>
  notes.filter(note => note !== null).join(' ') || null

/**
 * The schema of a list whose summaries are lines; its type is that of the items, since programs that read lines know
 * them as such.
 */
export const listOf = <Item extends TSchema>(item: Item, line: readonly string[], options: TArrayOptions = {}) =>
  Type.Unsafe<Static<Item>[]>(
    Type.Array(
      Type.Union([
        item,
        // Its fields are known by their names.
        Type.Record(Type.String(), Type.Unknown(), {
          $comment: OWN_WORDS,
          description: `With depth summary a line: ${line.join(', ')}; what is none, 0 or false is left out.`,
        }),
      ]),
      options,
    ),
  )

const toLine = <Item extends object>(item: Item, line: Line<Item>, dayOf: DayOf): object =>
  typeof line === 'function' ? line(item) : lineOf(item, line, dayOf)

/** Of a text in a line, about 80 characters; of a name half of that. */
const TEXT_TOKENS = 26
const NAME_TOKENS = 12
const MAX_NAMES = 3
const TEXTS = new Set(['text', 'title', 'statement', 'message', 'observation', 'last_message', 'note', 'reason'])

/**
 * The named fields of an item, each short: days for instants, references for objects, the beginnings of texts, of a
 * list the first three and how many more.
 */
export const lineOf = <Item extends object>(
  item: Item,
  fields: readonly (keyof Item & string)[],
  dayOf: DayOf = daysIn('UTC'),
): object =>
  Object.fromEntries(
    fields.flatMap(field => {
      const value = shortValue(item[field], TEXTS.has(field) ? TEXT_TOKENS : NAME_TOKENS, dayOf)
      return value === undefined ? [] : [[field, value]]
    }),
  )

/** Of no use but whole. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Undefined for what says nothing: none, 0, false, an empty text or list. */
const shortValue = (value: unknown, tokens: number, dayOf: DayOf): unknown => {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return undefined
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(3))
  if (typeof value === 'string') {
    if (ID.test(value)) return value
    const at = INSTANT.test(value) ? new Date(value) : null
    return at === null || Number.isNaN(at.getTime()) ? beginningOf(value, tokens) : dayOf(at)
  }
  if (Array.isArray(value)) {
    const values = value.slice(0, MAX_NAMES).flatMap(one => shortValue(one, tokens, dayOf) ?? [])
    const more = value.length - MAX_NAMES
    return values.length === 0 ? undefined : more > 0 ? [...values, `+${more}`] : values
  }
  if (typeof value !== 'object') return value
  const { reference, name, title } = value as Readonly<Record<string, unknown>>
  return shortValue(reference ?? name ?? title, tokens, dayOf)
}

/** The beginning of a text on one line, with an ellipsis where it is cut. */
export const beginningOf = (given: string, tokens = TEXT_TOKENS): string => {
  const { text, text_truncation } = excerptWithin(given.replace(/\s+/g, ' ').trim(), tokens, '')
  return text_truncation === null ? text : `${text.trimEnd()}…`
}

/**
 * Where a list goes on: past `offset` items, or below the number `offset` of a list by number, as the list was at `at`,
 * so that pages agree with each other.
 */
export interface Position {
  readonly offset: number
  readonly at: Date
}

/** Opaque to callers. It carries the list's name, so that a cursor of another list is refused instead of misread. */
export const encodeCursor = (list: string, position: Position): string =>
  Buffer.from(JSON.stringify([list, position.offset, position.at.getTime()])).toString('base64url')

const parsed = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** Clocks of several programs differ; a list that nobody went on with for a year has to be begun again. */
const AHEAD_MS = HOUR_MS
const OLDEST_MS = 366 * DAY_MS

/** No list has more: what is beyond would be beyond the stores' numbers too. */
const MAX_OFFSET = 2 ** 31 - 1

const isOffset = (offset: unknown): offset is number =>
  Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) <= MAX_OFFSET

const isTime = (at: unknown, now: Date): at is number =>
  Number.isSafeInteger(at) && Number(at) <= now.getTime() + AHEAD_MS && Number(at) >= now.getTime() - OLDEST_MS

/**
 * The list's position; its beginning, as of now, without a cursor. Throws `invalid_input` for one that is not the
 * list's.
 */
export const decodeCursor = (list: string, cursor: string | undefined, now: Date): Position => {
  if (cursor === undefined) return { offset: 0, at: now }
  const value = parsed(cursor)
  if (Array.isArray(value)) {
    const [of, offset, at] = value as readonly unknown[]
    if (of === list && isOffset(offset) && isTime(at, now)) return { offset, at: new Date(at) }
  }
  throw notOfThisList()
}

export const notOfThisList = (): AssayError =>
  new AssayError(
    'invalid_input',
    'The cursor is not one of this list. Send meta.next_cursor unchanged, with the mode and the other arguments that it came with, or leave cursor out to begin again. limit and depth may differ.',
    { violations: [{ pointer: '/cursor', message: 'must be a meta.next_cursor of the same mode and arguments' }] },
  )

/** The next page's cursor; null when `shown` items from `position` on reach the list's `count`. */
export const nextCursor = (list: string, position: Position, shown: number, count: number): string | null => {
  const offset = position.offset + shown
  return shown > 0 && offset < count ? encodeCursor(list, { offset, at: position.at }) : null
}

export interface TextPage extends Excerpt {
  /** Continues the text; null at its end. */
  readonly nextCursor: string | null
}

export interface TextPageOptions {
  readonly cursor: string | undefined
  readonly now: Date
  readonly tokens: number
  readonly rest: string
}

/**
 * A text from the cursor on, as much as the tokens hold. `name` says which text and which version of it, since a cursor
 * of another is refused; `rest` names the call that goes on. Throws `invalid_input` for a cursor that is not this
 * text's.
 */
export const textPage = (text: string, name: string, options: TextPageOptions): TextPage =>
  textPageFrom(text, name, options).page

/** The same, with where in the whole text it begins, in characters. */
export const textPageFrom = (
  text: string,
  name: string,
  { cursor, now, tokens, rest }: TextPageOptions,
): { readonly page: TextPage; readonly offset: number } => {
  const list = Buffer.from(sha256(name)).toString('base64url').slice(0, 16)
  const position = decodeCursor(list, cursor, now)
  const characters = Array.from(text)
  const left = position.offset === 0 ? text : characters.slice(position.offset).join('')
  const excerpt = excerptWithin(left, tokens, rest)
  const shown = Array.from(excerpt.text).length
  const { offset } = position
  return { page: { ...excerpt, nextCursor: nextCursor(list, position, shown, characters.length) }, offset }
}
