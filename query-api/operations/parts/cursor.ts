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

/** The list's position; its beginning, as of now, without a cursor. Throws `invalid_input` for one that is not the list's. */
export const decodeCursor = (list: string, cursor: string | undefined, now: Date): Position => {
  if (cursor === undefined) return { offset: 0, at: now }
  const value = parsed(cursor)
  if (Array.isArray(value) && value[0] === list && Number.isSafeInteger(value[1]) && value[1] >= 0) {
    const at = new Date(Number(value[2]))
    if (!Number.isNaN(at.getTime())) return { offset: value[1], at }
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
