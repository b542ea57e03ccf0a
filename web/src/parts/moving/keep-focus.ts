import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

const FOCUSED = 'a[href], button'

/** The last focused item, and the focused element within it. */
interface Focused {
  readonly id: string
  readonly place: number
  readonly element: Element
}

const targetsOf = (item: Element): readonly HTMLElement[] => [...item.querySelectorAll<HTMLElement>(FOCUSED)]

/** Moves the focus along when its item is drawn in another list, so that keys continue to work there. */
export const useFocusKept = (root: RefObject<HTMLElement | null>): void => {
  const focused = useRef<Focused | null>(null)
  useEffect(() => {
    const look = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      const item = target.closest<HTMLElement>('[data-movable]')
      const id = item?.dataset.movable
      focused.current =
        item === null || id === undefined ? null : { id, place: targetsOf(item).indexOf(target), element: target }
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
  useLayoutEffect(() => {
    const before = focused.current
    if (before === null || before.element.isConnected || document.activeElement !== document.body) return
    const item = root.current?.querySelector(`[data-movable="${before.id}"]`)
    if (item) targetsOf(item)[before.place]?.focus({ preventScroll: true })
  })
}
