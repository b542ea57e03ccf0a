/** Where the cursor of a list is, and what is chosen. Ids, because what stands where changes all the time. */
export interface Selection {
  /** The line that keys act on; null before the list was read, and when it is empty. */
  readonly cursor: string | null
  /** Where a range began. */
  readonly anchor: string | null
  readonly chosen: ReadonlySet<string>
}

export const NOTHING_SELECTED: Selection = { cursor: null, anchor: null, chosen: new Set() }

const placeOf = (ids: readonly string[], id: string | null): number => (id === null ? -1 : ids.indexOf(id))

/** To a line; what was chosen stays. */
export const moveTo = (choice: Selection, cursor: string | null): Selection => ({ ...choice, cursor, anchor: cursor })

/** So many lines down, or up when negative; never beyond either end. */
export const moveBy = (choice: Selection, ids: readonly string[], lines: number): Selection =>
  moveTo(choice, idAt(ids, placeOf(ids, choice.cursor) + lines))

const idAt = (ids: readonly string[], place: number): string | null =>
  ids[Math.min(Math.max(place, 0), ids.length - 1)] ?? null

/** Chooses every line between where the range began and the new cursor, and no other. */
export const extendTo = (choice: Selection, ids: readonly string[], cursor: string | null): Selection => {
  const anchor = choice.anchor ?? choice.cursor
  const range = between(ids, anchor, cursor)
  return range.length === 0 ? moveTo(choice, cursor) : { cursor, anchor, chosen: new Set(range) }
}

/** The lines from one to another, with both; none where either is not in the list. */
export const between = (ids: readonly string[], one: string | null, other: string | null): readonly string[] => {
  const [from = -1, to = -1] = [placeOf(ids, one), placeOf(ids, other)].toSorted((a, b) => a - b)
  return from < 0 ? [] : ids.slice(from, to + 1)
}

export const extendBy = (choice: Selection, ids: readonly string[], lines: number): Selection =>
  extendTo(choice, ids, idAt(ids, placeOf(ids, choice.cursor) + lines))

/** Chooses one line more, or one less. */
export const toggle = (choice: Selection, id: string | null): Selection => {
  if (id === null) return choice
  const chosen = new Set(choice.chosen)
  if (!chosen.delete(id)) chosen.add(id)
  return { cursor: id, anchor: id, chosen }
}

/** What a decision is about: what is chosen, or else the line of the cursor. */
export const subjectsOf = ({ cursor, chosen }: Selection, ids: readonly string[]): readonly string[] =>
  chosen.size > 0 ? ids.filter(id => chosen.has(id)) : ids.filter(id => id === cursor)

/** Goes on to the line after those that leave, or else to the one before them. */
export const advance = (choice: Selection, ids: readonly string[], leaving: ReadonlySet<string>): Selection => {
  const last = ids.findLastIndex(id => leaving.has(id))
  const stays = (id: string) => !leaving.has(id)
  const next = ids.slice(last + 1).find(stays) ?? ids.slice(0, Math.max(last, 0)).findLast(stays) ?? null
  return { cursor: next, anchor: next, chosen: new Set([...choice.chosen].filter(stays)) }
}

/**
 * After the list was read anew: what is no longer there is no longer chosen, and the cursor is on a line. A list that
 * is only `offered`, in place of one that was searched for, gets the cursor from a person alone.
 */
export const within = (
  choice: Selection,
  ids: readonly string[],
  before: readonly string[],
  isOffered = false,
): Selection => {
  const there = new Set(ids)
  const lost = before.filter(id => !there.has(id))
  const isLost = choice.cursor === null || !there.has(choice.cursor)
  const chosen = new Set([...choice.chosen].filter(id => there.has(id)))
  if (!isLost && chosen.size === choice.chosen.size) return choice
  if (!isLost) return { ...choice, chosen }
  const next = choice.cursor === null ? null : advance({ ...choice, chosen }, before, new Set(lost)).cursor
  const cursor = next ?? (isOffered ? null : (ids[0] ?? null))
  return { cursor, anchor: cursor, chosen }
}
