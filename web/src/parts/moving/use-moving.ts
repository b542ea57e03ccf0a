import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import {
  indexAt,
  isSame,
  type ListPosition,
  listPositionOf,
  type MovableList,
  type Move,
  positionAfterKey,
} from './list-positions.ts'

interface Options {
  /** What is shown, in order. */
  readonly lists: readonly MovableList[]
  /** Holds an element with `data-list` for each list, and in it one with `data-movable` for each item, both with its id. */
  readonly root: RefObject<HTMLElement | null>
  /** Whether the lists stand below each other. */
  readonly stacked?: boolean
  readonly onDrop: (move: Move) => void
}

/** How near the window’s edge, in pixels, the page begins to scroll under what is dragged, and how far at a time. */
const EDGE = 72
const SCROLLED = 14
const SCROLL_EVERY_MS = 16

/**
 * Moves an item by its handle, in its list or to another: dragged with a pointer, or lifted with Space, moved with the arrow keys and put
 * down with Space again. Escape leaves it where it was.
 */
export const useMoving = ({ lists, root, stacked = false, onDrop }: Options) => {
  const [move, setMove] = useState<Move | null>(null)
  const [isDragged, setDragged] = useState(false)
  const pointer = useRef({ x: 0, y: 0 })

  const toPointer = () => {
    setMove(before => before && { ...before, to: spotUnder(root.current, pointer.current, before) })
  }

  useEffect(() => {
    if (!isDragged) return
    const timer = setInterval(() => {
      const { y } = pointer.current
      const by = y < EDGE ? -SCROLLED : y > innerHeight - EDGE ? SCROLLED : 0
      if (by === 0) return
      scrollBy({ top: by, behavior: 'instant' })
      toPointer()
    }, SCROLL_EVERY_MS)
    return () => clearInterval(timer)
  })

  const lift = (id: string) => {
    const from = listPositionOf(lists, id)
    if (from !== null) setMove({ id, from, to: from })
  }
  const leave = () => {
    setDragged(false)
    setMove(null)
  }
  const drop = () => {
    leave()
    if (move !== null && !isSame(move.from, move.to)) onDrop(move)
  }

  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      pointer.current = { x: event.clientX, y: event.clientY }
      setDragged(true)
      lift(id)
    },
    onPointerMove: (event: PointerEvent) => {
      if (!isDragged) return
      pointer.current = { x: event.clientX, y: event.clientY }
      toPointer()
    },
    onPointerUp: () => isDragged && drop(),
    onPointerCancel: leave,
    onBlur: () => !isDragged && leave(),
    onKeyDown: (event: KeyboardEvent) => {
      const lifted = move?.id === id
      const to = lifted ? positionAfterKey(event.key, lists, move, stacked) : null
      if (event.key === ' ' || event.key === 'Enter') {
        if (lifted) drop()
        else lift(id)
      } else if (event.key === 'Escape') leave()
      else if (lifted && to !== null) setMove({ ...move, to })
      else return
      event.preventDefault()
    },
  })
  return { move, handleOf, leave }
}

interface Point {
  readonly x: number
  readonly y: number
}

const distance = ({ left, right, top, bottom }: DOMRect, { x, y }: Point): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))

/** Where what is moved would stand if it were let go at a point: in the nearest list. */
const spotUnder = (root: HTMLElement | null, point: Point, { id, to }: Move): ListPosition => {
  const lists = [...(root?.querySelectorAll<HTMLElement>('[data-list]') ?? [])]
  const ordered = lists
    .map(list => ({ list, away: distance(list.getBoundingClientRect(), point) }))
    .sort((one, other) => one.away - other.away)
  const nearest = ordered[0]?.list
  if (nearest === undefined) return to
  const others = [...nearest.querySelectorAll<HTMLElement>('[data-movable]')].filter(
    ({ dataset }) => dataset.movable !== id,
  )
  const middles = others.map(other => {
    const { top, bottom } = other.getBoundingClientRect()
    return (top + bottom) / 2
  })
  return { list: nearest.dataset.list ?? to.list, position: indexAt(middles, point.y) }
}
