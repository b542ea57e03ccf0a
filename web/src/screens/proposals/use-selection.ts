import { useEffect, useRef, useState } from 'react'

interface Selectable {
  readonly survivor: { readonly id: string }
  readonly pairs: readonly { readonly id: string }[]
}

/** Which of some groups is selected: the one that was, else the one that took its place; and which of its pairs. */
export const useSelection = () => {
  const [last, setLast] = useState({ id: '', position: 0, at: 0, pair: '' })
  return {
    /** The selected one stays so while others come and go. */
    select: (id: string) => setLast(now => (now.id === id ? now : { ...now, id, at: 0, pair: '' })),
    of: (groups: readonly Selectable[]) => {
      const ids = groups.map(({ survivor }) => survivor.id)
      const found = ids.indexOf(last.id)
      const position = found >= 0 ? found : Math.max(0, Math.min(last.position, ids.length - 1))
      const selected = ids[position]
      // What took the place of a decided one is the selected one from then on.
      if (selected !== undefined && (selected !== last.id || position !== last.position)) {
        setLast(selected === last.id ? { ...last, position } : { id: selected, position, at: 0, pair: '' })
      }
      const pairs = groups[position]?.pairs ?? []
      const place = pairs.findIndex(({ id }) => id === last.pair)
      const at = place >= 0 ? place : Math.max(0, Math.min(last.at, pairs.length - 1))
      const goToPair = (to: number) => {
        const next = Math.max(0, Math.min(to, pairs.length - 1))
        setLast({ ...last, at: next, pair: pairs[next]?.id ?? '' })
      }
      const go = (to: number) => {
        const id = ids[Math.max(0, Math.min(to, ids.length - 1))]
        if (id !== undefined) setLast(now => (now.id === id ? now : { ...now, id, at: 0, pair: '' }))
      }
      return {
        selected,
        at,
        next: () => go(position + 1),
        previous: () => go(position - 1),
        nextPair: () => goToPair(at + 1),
        previousPair: () => goToPair(at - 1),
      }
    },
  }
}

const CURRENT = 'li[aria-current=true]'

/**
 * The focus follows the selection from card to card; it is never taken from a field, or from a button of the card
 * itself.
 */
const mayTakeFocus = (card: HTMLElement): boolean => {
  const focused = document.activeElement
  return !card.contains(focused) && (focused === document.body || card.parentElement?.contains(focused) === true)
}

/** The focus goes to the card that is worked on, as where a dialog was closed whose button is gone. */
export const focusCurrent = (): void => document.querySelector<HTMLElement>(CURRENT)?.focus()

/**
 * Keeps the focus, and the window, at the selected card of a list, and at one of its pairs. The list takes what is
 * answered as its `ref`.
 */
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
