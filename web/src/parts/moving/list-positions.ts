/** A list of things, by id and in order, into which they are moved. */
export interface MovableList {
  readonly id: string
  readonly items: readonly string[]
}

/** A place in a list among the others of it, from 0. */
export interface ListPosition {
  readonly list: string
  readonly position: number
}

/** What is moved, from where, and where it would stand. */
export interface Move {
  readonly id: string
  readonly from: ListPosition
  readonly to: ListPosition
}

export const listPositionOf = (lists: readonly MovableList[], id: string): ListPosition | null => {
  const list = lists.find(({ items }) => items.includes(id))
  return list === undefined ? null : { list: list.id, position: list.items.indexOf(id) }
}

export const isSame = (one: ListPosition, other: ListPosition): boolean =>
  one.list === other.list && one.position === other.position

/** The order as it is to be. */
export const arranged = (lists: readonly MovableList[], { id, to }: Move): readonly MovableList[] =>
  lists.map(list => {
    const others = list.items.filter(item => item !== id)
    return { id: list.id, items: list.id === to.list ? others.toSpliced(to.position, 0, id) : others }
  })

/** On which side of the item at a place the line is drawn that says where what is moved will stand. */
export const lineAt = (move: Move | null, list: MovableList, position: number): 'above' | 'below' | null => {
  if (move === null || move.to.list !== list.id || isSame(move.from, move.to)) return null
  const staysBefore = move.from.list === list.id && move.to.position >= move.from.position
  const gap = staysBefore ? move.to.position + 1 : move.to.position
  if (gap === position) return 'above'
  return gap === list.items.length && position === gap - 1 ? 'below' : null
}

/** The place among the others of what is let go at a height, given their middles from top to bottom. */
export const indexAt = (middles: readonly number[], height: number): number =>
  middles.filter(middle => middle < height).length

/**
 * Where a key moves what is lifted: up and down in its list, left and right to the list before or after. In stacked
 * lists up and down go on there. Null for a key that moves nothing.
 */
export const positionAfterKey = (
  key: string,
  lists: readonly MovableList[],
  { id, to }: Move,
  stacked: boolean,
): ListPosition | null => {
  const current = lists.findIndex(list => list.id === to.list)
  const lastOf = (index: number): number => lists[index]?.items.filter(item => item !== id).length ?? 0
  const spot = (index: number, position: number): ListPosition => {
    const list = lists[index]
    return list === undefined ? to : { list: list.id, position: Math.min(Math.max(position, 0), lastOf(index)) }
  }
  switch (key) {
    case 'ArrowUp':
      return to.position === 0 && stacked ? spot(current - 1, lastOf(current - 1)) : spot(current, to.position - 1)
    case 'ArrowDown':
      return to.position === lastOf(current) && stacked ? spot(current + 1, 0) : spot(current, to.position + 1)
    case 'ArrowLeft':
      return spot(current - 1, to.position)
    case 'ArrowRight':
      return spot(current + 1, to.position)
    case 'Home':
      return spot(current, 0)
    case 'End':
      return spot(current, lastOf(current))
    default:
      return null
  }
}
