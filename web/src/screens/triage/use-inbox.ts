import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLiveChange } from '../../api/live-connection.ts'
import { type Answer, call, useOperationPages } from '../../api/operations.ts'
import { moveTo, NOTHING_SELECTED, type Selection, within } from '../../parts/selection.ts'
import { decidedSignals, isAway } from './decided.ts'
import type { Signal } from './decision.ts'
import type { Filters } from './view.ts'

export type Page = Answer<'list_signals'>

const numberOf = ({ reference }: Pick<Signal, 'reference'>): number => Number(reference.slice('SIG-'.length))

/** When it happened, as the list goes by it: never after it was received. */
const timeOf = ({ occurred_at, received_at }: Signal): number =>
  Math.min(Date.parse(occurred_at), Date.parse(received_at))

/** Whether a Signal stands below another one. */
const isBelow = (one: Signal, other: Signal): boolean =>
  timeOf(one) === timeOf(other) ? numberOf(one) < numberOf(other) : timeOf(one) < timeOf(other)

/** Every Signal once, the newest first. A page that was read anew may reach into the next one. */
export const itemsOf = (pages: readonly Page[]): Signal[] => {
  const seen = new Set<string>()
  return pages.flatMap(({ data }) => data.items.filter(({ id }) => !seen.has(id) && seen.add(id)))
}

/**
 * A page read anew in place of itself. It has as many Signals as before: where some are new, it ends earlier, and what
 * the page had below its end is kept, so that nothing is missing before the next page.
 */
export const refreshPage = (before: Page, after: Page): Page => {
  // Signals that have all of the words and those that have some are two lists.
  if (before.data.some_words !== after.data.some_words) return after
  const last = after.data.items.at(-1)
  if (last === undefined || after.meta.next_cursor === null) return after
  const below = before.data.items.filter(item => isBelow(item, last))
  return {
    data: { ...after.data, items: [...after.data.items, ...below] },
    // Where the next page, which stays, begins.
    meta: below.length === 0 ? after.meta : { ...after.meta, next_cursor: before.meta.next_cursor },
  }
}

/** The pages without some Signals, which the count of the first one then lacks too. */
export const withoutSignals = (pages: readonly Page[], isGone: (signal: Signal) => boolean): readonly Page[] => {
  const removed = new Set(pages.flatMap(({ data }) => data.items.filter(isGone).map(({ id }) => id)))
  if (removed.size === 0) return pages
  return pages.map(({ data, meta }, place) => ({
    data: {
      ...data,
      items: data.items.filter(item => !isGone(item)),
      count: place === 0 ? Math.max(0, data.count - removed.size) : data.count,
    },
    meta,
  }))
}

/**
 * The pages with Signals as they have become. What is kept beside them stays until the list is read again, and so does
 * what they say: a decision answers the beginning alone.
 */
export const replaceSignals = (
  pages: readonly Page[],
  signals: readonly Omit<Signal, 'snooze' | 'duplicate_of'>[],
): Page[] => {
  const changed = new Map(signals.map(signal => [signal.id, signal]))
  return pages.map(({ data, meta }) => ({
    data: {
      ...data,
      items: data.items.map(item => ({
        ...item,
        ...changed.get(item.id),
        text: item.text,
        text_truncation: item.text_truncation,
      })),
    },
    meta,
  }))
}

const PAGE = 100
/** What a tab sets: the list of another one would be offered what fits this one. */
const TAB_FIELDS = ['state', 'snoozed', 'perhaps'] as const
/** While Signals pour in, the list is read again no more often than this. */
const SETTLED_MS = 1500
const TOPICS = ['signals', 'decisions', 'claims', 'discussions'] as const

type Pages = InfiniteData<Page, string | null>

/**
 * The Signals of a view, page by page, kept up to date: when something changes, the first page is read again and the
 * one that is looked at, however many there are.
 */
export const useInbox = (filters: Filters, looked: () => number) => {
  const input = useMemo(() => ({ ...filters, limit: PAGE }), [filters])
  const queries = useQueryClient()
  const isOfThisTab = (before: Filters) => TAB_FIELDS.every(field => before[field] === filters[field])
  const query = useOperationPages('list_signals', input, { keep: isOfThisTab })
  const key = useMemo(() => ['list_signals', input, 'pages'], [input])
  const read = query.data?.pages
  const decided = useSyncExternalStore(decidedSignals.watch, decidedSignals.now)
  const pages = useMemo(() => withoutSignals(read ?? [], signal => isAway(decided, signal)), [read, decided])
  const items = useMemo(() => itemsOf(pages), [pages])

  const edit = (change: (pages: readonly Page[]) => readonly Page[]) =>
    queries.setQueryData<Pages>(key, before => before && { ...before, pages: [...change(before.pages)] })

  const renew = async () => {
    const before = queries.getQueryData<Pages>(key)
    if (before === undefined) return
    // What is being read may have been answered before what has changed.
    if (queries.isFetching({ queryKey: key }) > 0) return later()
    // In another order than that of time, nobody can tell where a page ends.
    if (input.order_by !== undefined) return queries.invalidateQueries({ queryKey: key })
    const places = new Set([0, Math.min(Math.floor(looked() / PAGE), before.pages.length - 1)])
    for (const place of places) {
      const cursor = before.pageParams[place]
      const after = await call('list_signals', { ...input, ...(cursor != null && { cursor }) }).catch(() => null)
      if (after === null) return
      // What was read meanwhile may be newer.
      if (queries.getQueryData<Pages>(key)?.pages[place] !== before.pages[place]) return later()
      edit(now => now.map((page, index) => (index === place ? refreshPage(page, after) : page)))
    }
  }

  const soon = useRef({ timer: 0, isReading: false, again: async () => {} })
  soon.current.again = renew
  const later = () => {
    soon.current.timer ||= window.setTimeout(() => {
      soon.current.timer = 0
      if (soon.current.isReading) return later()
      soon.current.isReading = true
      void soon.current.again().finally(() => {
        soon.current.isReading = false
      })
    }, SETTLED_MS)
  }
  useEffect(() => {
    const { current } = soon
    return () => clearTimeout(current.timer)
  }, [])
  const live = useLiveChange(TOPICS, later)

  return {
    ...query,
    items,
    first: pages[0]?.data,
    live,
    /** Signals as decisions have made them, and without those that left by one. */
    settle: (left: ReadonlySet<string>, signals: readonly Omit<Signal, 'snooze' | 'duplicate_of'>[]) => {
      const made = new Map(signals.map(({ id, version }) => [id, version]))
      edit(now => withoutSignals(now, ({ id, version }) => left.has(id) && version < (made.get(id) ?? Infinity)))
      decidedSignals.settle(left, signals)
      edit(now => replaceSignals(now, signals))
    },
    /** Reads everything again: what is shown is not what is. */
    again: () => queries.invalidateQueries({ queryKey: ['list_signals'] }),
  }
}

export type Inbox = ReturnType<typeof useInbox>

const RESTING_MS = 300
/** So far the list is read on for the Signal that an address names; below, the list begins at its top. */
const MAX_LOOKED_THROUGH = 1000

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
  const isOffered = first?.some_words === true
  const wasOffered = useRef(false)
  if (choice.cursor !== null) sought.current = ''

  useEffect(() => {
    let isNamed = false
    if (sought.current !== '') {
      const found = items.find(({ reference }) => reference === sought.current)
      isNamed = found !== undefined
      if (found !== undefined) setChoice(moveTo(NOTHING_SELECTED, found.id))
      else if (!isRead || isFetchingNextPage) return
      else if (hasNextPage && items.length < MAX_LOOKED_THROUGH) return void fetchNextPage()
      sought.current = ''
    }
    const isNewlyOffered = isOffered && !wasOffered.current && !isNamed
    setChoice(now => (isNewlyOffered ? NOTHING_SELECTED : within(now, ids, shownBefore.current, isOffered)))
    wasOffered.current = isOffered
    shownBefore.current = ids
  }, [ids, items, isRead, isOffered, hasNextPage, isFetchingNextPage, fetchNextPage, setChoice])

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
