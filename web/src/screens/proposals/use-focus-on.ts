import { useEffect, useRef } from 'react'

const CURRENT = 'li[aria-current=true]'

/** The focus follows the selection from card to card; it is never taken from a field, or from a button of the card itself. */
const mayTakeFocus = (card: HTMLElement): boolean => {
  const focused = document.activeElement
  return !card.contains(focused) && (focused === document.body || card.parentElement?.contains(focused) === true)
}

/** The focus goes to the card that is worked on, as where a dialog was closed whose button is gone. */
export const focusCurrent = (): void => document.querySelector<HTMLElement>(CURRENT)?.focus()

/** Keeps the focus, and the window, at the selected card of a list, and at one of its pairs. The list takes what is answered as its `ref`. */
export const useFocusOn = (selected: string | undefined, at: number) => {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef<string>(undefined)
  useEffect(() => {
    const card = list.current?.querySelector<HTMLElement>(CURRENT)
    if (selected === undefined || card === null || card === undefined) return
    const isFirst = before.current === undefined
    before.current = selected
    if (!mayTakeFocus(card)) return
    card.focus({ preventScroll: true })
    // The screen opens at its top.
    if (!isFirst) card.scrollIntoView({ block: 'start' })
  }, [selected])
  const isAt = useRef(at)
  useEffect(() => {
    if (isAt.current !== at) list.current?.querySelector('[data-at]')?.scrollIntoView({ block: 'nearest' })
    isAt.current = at
  }, [at])
  return list
}
