import { AssayError } from '../../../infra/runtime/errors.ts'

/**
 * Where a list goes on: past `offset` items, or below the number `offset` of a list by number, as the list was at `at`, so that
 * pages agree with each other.
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
const AHEAD_MS = 3_600_000
const OLDEST_MS = 366 * 86_400_000

/** No list has more: what is beyond would be beyond the stores' numbers too. */
const MAX_OFFSET = 2 ** 31 - 1

const isOffset = (offset: unknown): offset is number =>
  Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) <= MAX_OFFSET

const isTime = (at: unknown, now: Date): at is number =>
  Number.isSafeInteger(at) && Number(at) <= now.getTime() + AHEAD_MS && Number(at) >= now.getTime() - OLDEST_MS

/** The list's position; its beginning, as of now, without a cursor. Throws `invalid_input` for one that is not the list's. */
export const decodeCursor = (list: string, cursor: string | undefined, now: Date): Position => {
  if (cursor === undefined) return { offset: 0, at: now }
  const value = parsed(cursor)
  if (Array.isArray(value)) {
    const [of, offset, at] = value as readonly unknown[]
    if (of === list && isOffset(offset) && isTime(at, now)) return { offset, at: new Date(at) }
  }
  throw new AssayError(
    'invalid_input',
    'The cursor is not one of this list. Send meta.next_cursor of the same mode unchanged, or leave cursor out to begin again.',
    { violations: [{ pointer: '/cursor', message: 'must be a meta.next_cursor of the same mode' }] },
  )
}

/** The next page's cursor; null when `shown` items from `position` on reach the list's `count`. */
export const nextCursor = (list: string, position: Position, shown: number, count: number): string | null => {
  const offset = position.offset + shown
  return shown > 0 && offset < count ? encodeCursor(list, { offset, at: position.at }) : null
}
