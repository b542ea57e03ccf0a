/** An ordered list of ids, into which items are moved. */
export interface MovableList {
  readonly id: string
  readonly items: readonly string[]
}

/** A place in a list among its other items, from 0. */
export interface ListPosition {
  readonly list: string
  readonly position: number
}

/** A moved item, its origin and its target. */
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

/**
 * A move that was begun in the lists `before`, in those of now: from where the item is by now, to behind the item that
 * it was to follow. Null when somebody has taken the item away or to another list meanwhile.
 */
export const inPresent = (move: Move, before: readonly MovableList[], now: readonly MovableList[]): Move | null => {
  const from = listPositionOf(now, move.id)
  if (from === null || from.list !== move.from.list) return null
  if (isSame(move.from, move.to)) return { id: move.id, from, to: from }
  const others = othersIn(now, move)
  const above = othersIn(before, move)
    .slice(0, move.to.position)
    .findLast(item => others.includes(item))
  return { id: move.id, from, to: { ...move.to, position: above === undefined ? 0 : others.indexOf(above) + 1 } }
}

const othersIn = (lists: readonly MovableList[], { id, to }: Move): readonly string[] =>
  lists.find(list => list.id === to.list)?.items.filter(item => item !== id) ?? []

/** The lists after a move. */
export const arranged = (lists: readonly MovableList[], { id, to }: Move): readonly MovableList[] =>
  lists.map(list => {
    const others = list.items.filter(item => item !== id)
    return { id: list.id, items: list.id === to.list ? others.toSpliced(to.position, 0, id) : others }
  })

/** Side of the item at a place on which the line shows the target. */
export const lineAt = (move: Move | null, list: MovableList, position: number): 'above' | 'below' | null => {
  if (move === null || move.to.list !== list.id || isSame(move.from, move.to)) return null
  const staysBefore = move.from.list === list.id && move.to.position >= move.from.position
  const gap = staysBefore ? move.to.position + 1 : move.to.position
  if (gap === position) return 'above'
  return gap === list.items.length && position === gap - 1 ? 'below' : null
}

/** The place for a drop at a height, given the other items' middles from top to bottom. */
export const indexAt = (middles: readonly number[], height: number): number =>
  middles.filter(middle => middle < height).length

/**
 * Target of a key for a lifted item: up and down within its list, left and right to the neighbouring list. In stacked
 * lists up and down continue there. Null for other keys.
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
