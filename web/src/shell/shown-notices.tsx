import { Notifications, useNotifications } from '@mantine/notifications'
import { useLayoutEffect, useState } from 'react'
import './shown-notices.css'

/** Where notices may stand, the usual one first. */
const CORNERS = ['bottom-right', 'bottom-left', 'top-right', 'bottom-center', 'top-center', 'top-left'] as const
type Corner = (typeof CORNERS)[number]

/** About as large as one is, with its distance from the edge. */
const SIZE = { width: 456, height: 96 }
const CONTROLS = 'a[href], button, input, select, textarea, [role=tab]'
const DIALOG = '[role=dialog][aria-modal=true]'
const NOTICES = '.mantine-Notifications-root'
/** A dialog that opens or closes is at rest by then. */
const MOVED_MS = 300

const roomOf = (corner: Corner): DOMRect => {
  const width = Math.min(SIZE.width, innerWidth)
  const x = corner.endsWith('left') ? 0 : corner.endsWith('right') ? innerWidth - width : (innerWidth - width) / 2
  return new DOMRect(x, corner.startsWith('top') ? 0 : innerHeight - SIZE.height, width, SIZE.height)
}

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top

/** What can be pressed in a part of the page. A dialog that scrolls brings something else under a notice each time. */
const placesIn = (part: Element): readonly DOMRect[] => {
  const sight = part === document.body ? new DOMRect(0, 0, innerWidth, innerHeight) : part.getBoundingClientRect()
  if (part !== document.body && part.scrollHeight > part.clientHeight) return [sight]
  return [...part.querySelectorAll(CONTROLS)]
    .filter(each => each.checkVisibility() && each.closest(`${NOTICES}, [inert]`) === null)
    .map(each => each.getBoundingClientRect())
    .filter(place => place.width > 0 && overlap(place, sight))
}

/** A place where a notice lies over nothing that can be pressed, at best the present one. Null: there is none. */
const freeCorner = (present: Corner | null): Corner | null => {
  const isFree = (places: readonly DOMRect[]) => (corner: Corner) =>
    !places.some(place => overlap(roomOf(corner), place))
  const dialog = [...document.querySelectorAll(DIALOG)].at(-1)
  const onTop = isFree(placesIn(dialog ?? document.body))
  if (present !== null && onTop(present)) return present
  // Behind the dialog is what can be pressed when it closes.
  return CORNERS.find(isFree(placesIn(document.body))) ?? CORNERS.find(onTop) ?? null
}

/** How high the notices are for which room is made. */
const HEIGHT = '--app-notice-height'

/** The same, of the page as it is without room for notices. */
const freeCornerOfWhole = (present: Corner | null): Corner | null => {
  const { style } = document.documentElement
  const made = style.getPropertyValue(HEIGHT)
  style.removeProperty(HEIGHT)
  const corner = freeCorner(present)
  if (corner === null && made !== '') style.setProperty(HEIGHT, made)
  return corner
}

/**
 * Where notices stand while there are any: in a free corner, and in another one once the window or a dialog has left
 * none of it. Otherwise what is there does not move. Null: nowhere without lying over something.
 */
const useCorner = (isEmpty: boolean): Corner | null => {
  const [corner, setCorner] = useState<Corner | null>('bottom-right')
  useLayoutEffect(() => {
    if (isEmpty) return
    setCorner(freeCornerOfWhole(null))
    const look = () => {
      if (!document.querySelector(`${NOTICES}:focus-within`)) setCorner(freeCornerOfWhole)
    }
    const timers = new Set<number>()
    const observer = new MutationObserver(records => {
      const changed = records.flatMap(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes])
      const isDialog = changed.some(
        node => node instanceof Element && (node.matches(DIALOG) || node.querySelector(DIALOG) !== null),
      )
      if (isDialog) timers.add(window.setTimeout(look, MOVED_MS))
    })
    observer.observe(document.body, { childList: true, subtree: true })
    addEventListener('resize', look)
    return () => {
      observer.disconnect()
      removeEventListener('resize', look)
      for (const timer of timers) clearTimeout(timer)
    }
  }, [isEmpty])
  return corner
}

/** Where a notice would lie over something wherever it stands, the page and its dialogs end above it. */
const useRoomBelow = (isNeeded: boolean): void =>
  useLayoutEffect(() => {
    if (!isNeeded) return
    const { style } = document.documentElement
    // One for each corner, with the notices that stand there.
    const places = [...document.querySelectorAll<HTMLElement>(NOTICES)]
    const measure = () => style.setProperty(HEIGHT, `${Math.max(...places.map(({ offsetHeight }) => offsetHeight))}px`)
    measure()
    const observer = new ResizeObserver(measure)
    for (const place of places) observer.observe(place)
    return () => {
      observer.disconnect()
      style.removeProperty(HEIGHT)
    }
  }, [isNeeded])

/** What is told, beside what can be pressed: whoever has just saved something goes on with the next button. */
const ShownNotices = () => {
  const { notifications } = useNotifications()
  const isEmpty = notifications.length === 0
  const corner = useCorner(isEmpty)
  useRoomBelow(corner === null && !isEmpty)
  return <Notifications position={corner ?? 'bottom-center'} />
}

export default ShownNotices
