import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react'
import type { Signal } from './decision.ts'
import { moveTo, NOTHING_SELECTED, type Selection, within } from './selection.ts'
import type { Inbox } from './use-inbox.ts'

const RESTING_MS = 300
/** So far the list is read on for the Signal that an address names; below, the list begins at its top. */
const MOST_LOOKED_THROUGH = 1000

interface Ports {
  readonly inbox: Inbox
  readonly ids: readonly string[]
  readonly choice: Selection
  readonly setChoice: Dispatch<SetStateAction<Selection>>
  /** The reference that the address names; empty for the first Signal. */
  readonly named: string
  readonly onMoved: (reference: string) => void
}

/** What an address says of the line that the cursor is on: nothing of the first one, which is another one tomorrow. */
const nameOfPlace = (items: readonly Pick<Signal, 'id' | 'reference'>[], cursor: string | null): string => {
  const place = items.findIndex(({ id }) => id === cursor)
  return place <= 0 ? '' : (items[place]?.reference ?? '')
}

/** Keeps the cursor on a line while the list changes, and in the address: a reload and the way back go on there. */
export const usePlace = ({ inbox, ids, choice, setChoice, named, onMoved }: Ports) => {
  const { items, first, hasNextPage, isFetchingNextPage, fetchNextPage } = inbox
  const sought = useRef(named)
  const shownBefore = useRef<readonly string[]>([])
  const isRead = first !== undefined
  if (choice.cursor !== null) sought.current = ''

  useEffect(() => {
    if (sought.current !== '') {
      const found = items.find(({ reference }) => reference === sought.current)
      if (found !== undefined) setChoice(moveTo(NOTHING_SELECTED, found.id))
      else if (!isRead || isFetchingNextPage) return
      else if (hasNextPage && items.length < MOST_LOOKED_THROUGH) return void fetchNextPage()
      sought.current = ''
    }
    setChoice(now => within(now, ids, shownBefore.current))
    shownBefore.current = ids
  }, [ids, items, isRead, hasNextPage, isFetchingNextPage, fetchNextPage, setChoice])

  const place = nameOfPlace(items, choice.cursor)
  const newest = useRef(onMoved)
  newest.current = onMoved
  useEffect(() => {
    if (!isRead || sought.current !== '' || place === named) return
    // Not for every line that a held key passes: a browser takes so many changes of its history.
    const timer = setTimeout(() => newest.current(place), RESTING_MS)
    return () => clearTimeout(timer)
  }, [isRead, place, named])
  return place
}
