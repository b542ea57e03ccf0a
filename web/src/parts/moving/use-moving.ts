import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { createDragPreview, type DragPreview, type Point } from './drag-preview.ts'
import { useFocusKept } from './keep-focus.ts'
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
  /**
   * Holds an element with `data-list` for each list, and in it one with `data-movable` for each item, both with its id.
   */
  readonly root: RefObject<HTMLElement | null>
  /** Whether the lists stand below each other. */
  readonly stacked?: boolean
  /** Whether an item may be moved into a list; into all unless told. */
  readonly accepts?: (id: string, list: string) => boolean
  readonly onDrop: (move: Move) => void
}

/** How near the window’s edge, in pixels, the page begins to scroll under what is dragged, and how far at a time. */
const EDGE = 72
const SCROLLED = 14
const SCROLL_EVERY_MS = 16
/** What is pressed is dragged from so many pixels on, so that a click stays one. */
const FAR = 6
/** A finger that rests so long lifts what is under it; one that moves before scrolls. */
const HOLD_MS = 260

/** A pointer that is down on an item, and may come to drag it. */
interface Press extends Point {
  readonly id: string
  readonly pointerId: number
  readonly element: HTMLElement
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Moves an item in its list or to another: dragged by its handle or anywhere on it, with a mouse or, held for a moment,
 * with a finger; or lifted with Space at its handle, moved with the arrow keys and put down with Space again. Escape
 * leaves it where it was.
 */
export const useMoving = ({ lists: all, root, stacked = false, accepts = () => true, onDrop }: Options) => {
  const [move, setMove] = useState<Move | null>(null)
  const [isDragged, setDragged] = useState(false)
  const pointer = useRef({ x: 0, y: 0 })
  const press = useRef<Press | null>(null)
  /** There while something is dragged. */
  const preview = useRef<DragPreview | null>(null)
  useFocusKept(root)
  const lists = move === null ? all : all.filter(({ id }) => id === move.from.list || accepts(move.id, id))

  const toPointer = () => {
    const allowed = new Set(lists.map(({ id }) => id))
    setMove(before => before && { ...before, to: spotUnder(root.current, pointer.current, before, allowed) })
  }

  useEffect(() => {
    if (!isDragged) return
    const timer = setInterval(() => {
      const { x, y } = pointer.current
      const by = y < EDGE ? -SCROLLED : y > innerHeight - EDGE ? SCROLLED : 0
      const beside = sideScroll(root.current, x)
      if (by === 0 && beside === 0) return
      scrollBy({ top: by, behavior: 'instant' })
      root.current?.scrollBy({ left: beside, behavior: 'instant' })
      toPointer()
    }, SCROLL_EVERY_MS)
    return () => clearInterval(timer)
  })

  // What a finger drags must not scroll as well, which only a listener that is there before it comes down can say.
  useEffect(() => {
    const holdStill = (event: TouchEvent) => preview.current !== null && event.preventDefault()
    document.addEventListener('touchmove', holdStill, { passive: false })
    return () => {
      document.removeEventListener('touchmove', holdStill)
      preview.current?.remove()
    }
  }, [])

  const lift = (id: string) => {
    const from = listPositionOf(all, id)
    if (from !== null) setMove({ id, from, to: from })
  }
  const drag = (id: string, element: HTMLElement, pointerId: number, at: Point) => {
    element.setPointerCapture(pointerId)
    getSelection()?.removeAllRanges()
    pointer.current = { x: at.x, y: at.y }
    preview.current?.remove()
    preview.current = createDragPreview(element.closest<HTMLElement>('[data-movable]') ?? element, at)
    setDragged(true)
    lift(id)
  }
  const leave = () => {
    clearTimeout(press.current?.timer)
    press.current = null
    preview.current?.remove()
    preview.current = null
    setDragged(false)
    setMove(null)
  }
  const drop = () => {
    leave()
    if (move !== null && !isSame(move.from, move.to)) onDrop(move)
  }
  const follow = (event: PointerEvent) => {
    pointer.current = { x: event.clientX, y: event.clientY }
    preview.current?.moveTo(pointer.current)
    toPointer()
  }

  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      drag(id, event.currentTarget, event.pointerId, { x: event.clientX, y: event.clientY })
    },
    onPointerMove: (event: PointerEvent) => isDragged && follow(event),
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

  /**
   * For the item’s whole element. What can be pressed in it is left alone; a link in it is followed by a click, and
   * dragged with it.
   */
  const itemOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || isControl(event.target)) return
      const { currentTarget: element, pointerId, clientX: x, clientY: y } = event
      const begin = () => drag(id, element, pointerId, { x, y })
      const timer = event.pointerType === 'mouse' ? undefined : setTimeout(begin, HOLD_MS)
      press.current = { id, x, y, element, pointerId, timer }
    },
    onPointerMove: (event: PointerEvent) => {
      const pressed = press.current
      // The handle hears of its own.
      if (pressed === null) return
      if (isDragged) return follow(event)
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR) return
      // The first move may be heard by a neighbour already: it is what was pressed that is dragged.
      if (pressed.timer === undefined) drag(pressed.id, pressed.element, pressed.pointerId, pressed)
      else if (preview.current === null) leave()
    },
    onPointerUp: () => {
      if (press.current === null) return
      if (isDragged) drop()
      else leave()
    },
    onPointerCancel: () => press.current !== null && leave(),
    // A link is dragged as a part of the item, not by itself.
    onDragStart: (event: { readonly preventDefault: () => void }) => event.preventDefault(),
  })
  return { move, handleOf, itemOf, leave }
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, input, textarea, select, [role=menu]') !== null

/** How far what holds the lists scrolls sidewards under a pointer at its edge. */
const sideScroll = (root: HTMLElement | null, x: number): number => {
  if (root === null || root.scrollWidth <= root.clientWidth) return 0
  const { left, right } = root.getBoundingClientRect()
  if (x < left + EDGE) return -SCROLLED
  return x > Math.min(right, innerWidth) - EDGE ? SCROLLED : 0
}

const distance = ({ left, right, top, bottom }: DOMRect, { x, y }: Point): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))

/**
 * Where what is moved would stand if it were let go at a point: in the nearest list, or where it was before if that
 * does not take it.
 */
const spotUnder = (
  root: HTMLElement | null,
  point: Point,
  { id, from, to }: Move,
  allowed: ReadonlySet<string>,
): ListPosition => {
  const lists = [...(root?.querySelectorAll<HTMLElement>('[data-list]') ?? [])]
  const ordered = lists
    .map(list => ({ list, away: distance(list.getBoundingClientRect(), point) }))
    .sort((one, other) => one.away - other.away)
  const nearest = ordered[0]?.list
  if (nearest === undefined) return to
  if (!allowed.has(nearest.dataset.list ?? '')) return from
  const others = [...nearest.querySelectorAll<HTMLElement>('[data-movable]')].filter(
    ({ dataset }) => dataset.movable !== id,
  )
  const middles = others.map(other => {
    const { top, bottom } = other.getBoundingClientRect()
    return (top + bottom) / 2
  })
  return { list: nearest.dataset.list ?? to.list, position: indexAt(middles, point.y) }
}
