import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { t } from '../../language/messages.ts'
import { notifyDone } from '../../shell/notify.tsx'
import { createDragPreview, type DragPreview, type Point } from './drag-preview.ts'
import { useFocusKept } from './keep-focus.ts'
import {
  indexAt,
  inPresent,
  isSame,
  type ListPosition,
  listPositionOf,
  type MovableList,
  type Move,
  positionAfterKey,
} from './list-positions.ts'

interface Options {
  /** The shown lists in order. */
  readonly lists: readonly MovableList[]
  /**
   * Contains an element with `data-list` for each list, and in it one with `data-movable` for each item, both with the
   * id.
   */
  readonly root: RefObject<HTMLElement | null>
  /** True when the lists stand below each other. */
  readonly stacked?: boolean
  /** True when a list accepts an item; all do by default. */
  readonly accepts?: (id: string, list: string) => boolean
  readonly onDrop: (move: Move) => void
}

/** Distance from the window's edge, in pixels, at which the page scrolls under a dragged item, and pixels of a step. */
const EDGE = 72
const SCROLLED = 14
const SCROLL_EVERY_MS = 16
/** Pixels after which a press becomes a drag, so that a click stays a click. */
const FAR = 6
/** A finger that rests this long lifts the item; an earlier move scrolls. */
const HOLD_MS = 260

/** A pressed pointer on an item, which may become a drag. */
interface Press extends Point {
  readonly id: string
  readonly pointerId: number
  readonly element: HTMLElement
  readonly timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Moves an item within its list or to another. With a mouse: drag its handle or any part of it. With a finger: hold,
 * then drag. With keys: Space at the handle lifts, arrow keys move, Space drops, Escape leaves it in place.
 */
export const useMoving = ({ lists: all, root, stacked = false, accepts = () => true, onDrop }: Options) => {
  /** What is lifted, with the lists that its places are of: others may change them meanwhile. */
  const [held, setHeld] = useState<{ readonly move: Move; readonly of: readonly MovableList[] } | null>(null)
  const [isDragged, setDragged] = useState(false)
  /** True when the last lifted item kept its place. */
  const [isLeft, setLeft] = useState(false)
  const pointer = useRef({ x: 0, y: 0 })
  const press = useRef<Press | null>(null)
  /** Set during a drag. */
  const preview = useRef<DragPreview | null>(null)
  useFocusKept(root)
  const move = held && inPresent(held.move, held.of, all)
  const setMove = (next: Move) => setHeld({ move: next, of: all })
  const lists = move === null ? all : all.filter(({ id }) => id === move.from.list || accepts(move.id, id))

  const toPointer = () => {
    const allowed = new Set(lists.map(({ id }) => id))
    if (move !== null) setMove({ ...move, to: spotUnder(root.current, pointer.current, move, allowed) })
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

  // A drag with a finger must not scroll; only a listener from before the touch can prevent the scroll.
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
    setLeft(false)
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
    setHeld(null)
  }
  const isTaken = held !== null && move === null
  useEffect(() => {
    if (!isTaken) return
    leave()
    notifyDone(t('Somebody else moved it meanwhile. Look at where it is, then move it again.'))
  })
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
    // An item lifted by key is dropped in place when it loses the focus, unless a press continues.
    onBlur: () => !isDragged && move?.id === id && leave(),
    onKeyDown: (event: KeyboardEvent) => {
      const lifted = move?.id === id
      const to = lifted ? positionAfterKey(event.key, lists, move, stacked) : null
      if (event.key === ' ' || event.key === 'Enter') {
        if (lifted) drop()
        else lift(id)
      } else if (event.key === 'Escape') {
        setLeft(lifted)
        leave()
      } else if (lifted && to !== null) setMove({ ...move, to })
      else return
      event.preventDefault()
    },
  })

  /**
   * For the item's whole element. Controls within it work as usual; a click follows a link, and a drag takes the link
   * along.
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
      // The handle has its own events.
      if (pressed === null) return
      if (isDragged) return follow(event)
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR) return
      // A neighbour may get the first move event; the pressed item is dragged.
      if (pressed.timer === undefined) drag(pressed.id, pressed.element, pressed.pointerId, pressed)
      else if (preview.current === null) leave()
    },
    onPointerUp: () => {
      if (press.current === null) return
      if (isDragged) drop()
      else leave()
    },
    onPointerCancel: () => press.current !== null && leave(),
    // A link is dragged as a part of the item, not separately.
    onDragStart: (event: { readonly preventDefault: () => void }) => event.preventDefault(),
  })
  return { move, isLeft, handleOf, itemOf, leave }
}

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, input, textarea, select, [role=menu]') !== null

/** Pixels to scroll the lists' container sideways for a pointer at its edge. */
const sideScroll = (root: HTMLElement | null, x: number): number => {
  if (root === null || root.scrollWidth <= root.clientWidth) return 0
  const { left, right } = root.getBoundingClientRect()
  if (x < left + EDGE) return -SCROLLED
  return x > Math.min(right, innerWidth) - EDGE ? SCROLLED : 0
}

const distance = ({ left, right, top, bottom }: DOMRect, { x, y }: Point): number =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))

/** Target of a drop at a point: the nearest list, or the origin when that list does not accept the item. */
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
