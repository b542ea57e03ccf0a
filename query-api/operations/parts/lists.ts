import type { TArrayOptions, TSchema } from 'typebox'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { daysIn } from '../../../schemas/domain/days.ts'
import { DAY_MS, HOUR_MS } from '../../../schemas/domain/durations.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { OWN_WORDS } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { ANSWER_TOKENS, type Excerpt, excerptWithin, takeWithinBudget } from './excerpt.ts'
import { DEFAULT_LIMIT, type Depth } from './fields.ts'

/** Tokens of a page. A page holds as many items as fit, so short items make long pages. */
const PAGE_TOKENS: Readonly<Record<Depth, number>> = { summary: 3000, standard: ANSWER_TOKENS, full: ANSWER_TOKENS }

interface Requested {
  readonly depth?: Depth
  readonly limit?: number
  /** Days are counted in this time zone. */
  readonly time?: { readonly time_zone?: string }
}

/** Items to read for a page: the requested number, else 20, or the maximum for summaries. */
export const pageSize = ({ depth, limit }: Requested): number =>
  limit ?? (depth === 'summary' ? MAX_LIMIT : DEFAULT_LIMIT)

/**
 * A line of an item: some of its fields, or an object with the same field names, by which strangers' texts are
 * recognized.
 */
type Line<Item> = readonly (keyof Item & string)[] | ((item: Item) => object)

/** Writes a moment as a calendar day. */
type DayOf = (at: Date) => string

interface Listing<Item> {
  readonly line: Line<Item>
  /** Tokens of the answer beside its items. */
  readonly beside?: number
  /** True when a page is as long as its limit, for people in the app. */
  readonly isWhole?: boolean
}

/**
 * The items of a page at the depth, as many as its tokens hold and at least one, and a note when these are fewer than
 * the limit.
 */
export const listed = <Item extends object>(
  { depth = 'standard', limit, time }: Requested,
  items: readonly Item[],
  { line, beside = 0, isWhole = false }: Listing<Item>,
): { readonly items: Item[]; readonly note: string | null } => {
  // A request for summaries gets lines, whose type the schema does not distinguish from the items'.
  const dayOf = daysIn(time?.time_zone ?? 'UTC')
  const shown = depth === 'summary' ? items.map(item => toLine(item, line, dayOf) as Item) : items
  const fitting = isWhole ? [...shown] : takeWithinBudget(shown, PAGE_TOKENS[depth] - beside)
  const isCut = limit !== undefined && fitting.length < items.length
  const note = `${fitting.length} of the ${limit} asked for fit this page; next_cursor goes on.`
  return { items: fitting, note: isCut ? note : null }
}

/** All notes as one text; null without any. */
export const oneNote = (...notes: readonly (string | null)[]): string | null =>
  notes.filter(note => note !== null).join(' ') || null

/**
 * Schema of a list whose summaries are lines. Its type is that of whole items, because callers that request lines know
 * their fields.
 */
export const listOf = <Item extends TSchema>(item: Item, line: readonly string[], options: TArrayOptions = {}) =>
  Type.Unsafe<Static<Item>[]>(
    Type.Array(
      Type.Union([
        item,
        // `OWN_WORDS` here, because a line's fields are recognized by their names.
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

/** Tokens of a text in a line, about 80 characters; of a name, half as many. */
const TEXT_TOKENS = 26
const NAME_TOKENS = 12
const MAX_NAMES = 3
const TEXTS = new Set(['text', 'title', 'statement', 'message', 'observation', 'last_message', 'note', 'reason'])

/**
 * The named fields of an item in short form: days for instants, references for objects, beginnings of texts, and the
 * first three entries of a list with the number of others.
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

/** An id is useless when cut. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** Undefined for an empty value: null, 0, false, an empty text or list. */
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

/** The beginning of a text on one line, with an ellipsis when it is cut. */
export const beginningOf = (given: string, tokens = TEXT_TOKENS): string => {
  const { text, text_truncation } = excerptWithin(given.replace(/\s+/g, ' ').trim(), tokens, '')
  return text_truncation === null ? text : `${text.trimEnd()}…`
}

/**
 * Position in a list: behind `offset` items, or below the number `offset` in a list by number, in the list's state at
 * `at`, so that pages agree.
 */
export interface Position {
  readonly offset: number
  readonly at: Date
}

/**
 * Opaque to callers. The cursor contains the list's name, so that a cursor of another list is refused instead of
 * misread.
 */
export const encodeCursor = (list: string, position: Position): string =>
  Buffer.from(JSON.stringify([list, position.offset, position.at.getTime()])).toString('base64url')

const parsed = (cursor: string): unknown => {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}

/** Clocks of several programs differ. A cursor older than a year is refused. */
const AHEAD_MS = HOUR_MS
const OLDEST_MS = 366 * DAY_MS

/** Higher offsets would exceed the stores' integers. */
const MAX_OFFSET = 2 ** 31 - 1

const isOffset = (offset: unknown): offset is number =>
  Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) <= MAX_OFFSET

const isTime = (at: unknown, now: Date): at is number =>
  Number.isSafeInteger(at) && Number(at) <= now.getTime() + AHEAD_MS && Number(at) >= now.getTime() - OLDEST_MS

/**
 * The cursor's position; without a cursor, the beginning at the present time. Throws `invalid_input` for a cursor of
 * another list.
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

/** The next page's cursor; null when `shown` items from `position` reach the list's `count`. */
export const nextCursor = (list: string, position: Position, shown: number, count: number): string | null => {
  const offset = position.offset + shown
  return shown > 0 && offset < count ? encodeCursor(list, { offset, at: position.at }) : null
}

export interface TextPage extends Excerpt {
  /** Cursor of the next part; null at the end of the text. */
  readonly nextCursor: string | null
}

export interface TextPageOptions {
  readonly cursor: string | undefined
  readonly now: Date
  readonly tokens: number
  readonly rest: string
}

/**
 * A text from the cursor on, within the tokens. `name` identifies the text and its version, so that another text's
 * cursor is refused; `rest` names the call that continues. Throws `invalid_input` for such a cursor.
 */
export const textPage = (text: string, name: string, options: TextPageOptions): TextPage =>
  textPageFrom(text, name, options).page

/** The same, with the page's position in the whole text, in characters. */
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
