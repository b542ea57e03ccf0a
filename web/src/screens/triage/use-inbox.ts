import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useLiveChange } from '../../api/live-connection.ts'
import { type Answer, call, useOperationPages } from '../../api/operations.ts'
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
 * A page read anew in place of itself. It has as many Signals as before: where some are new, it ends earlier, and what the page had below its end is
 * kept, so that nothing is missing before the next page.
 */
export const refreshPage = (before: Page, after: Page): Page => {
  const last = after.data.items.at(-1)
  if (last === undefined || after.meta.next_cursor === null) return after
  const below = before.data.items.filter(item => isBelow(item, last))
  return {
    data: { ...after.data, items: [...after.data.items, ...below] },
    // Where the next page, which stays, begins.
    meta: below.length === 0 ? after.meta : { ...after.meta, next_cursor: before.meta.next_cursor },
  }
}

/** The pages without these Signals, which the count of the first one then lacks too. */
export const removeSignals = (pages: readonly Page[], ids: ReadonlySet<string>): Page[] =>
  pages.map(({ data, meta }, place) => ({
    data: {
      ...data,
      items: data.items.filter(({ id }) => !ids.has(id)),
      count: place === 0 ? Math.max(0, data.count - ids.size) : data.count,
    },
    meta,
  }))

/** The pages with Signals as they have become. What is kept beside them stays until the list is read again. */
export const replaceSignals = (
  pages: readonly Page[],
  signals: readonly Omit<Signal, 'snooze' | 'duplicate_of'>[],
): Page[] => {
  const changed = new Map(signals.map(signal => [signal.id, signal]))
  return pages.map(({ data, meta }) => ({
    data: { ...data, items: data.items.map(item => ({ ...item, ...changed.get(item.id) })) },
    meta,
  }))
}

const PAGE = 100
/** While Signals pour in, the list is read again no more often than this. */
const SETTLED_MS = 1500
const TOPICS = ['signals', 'decisions', 'claims'] as const

type Pages = InfiniteData<Page, string | null>

/**
 * The Signals of a view, page by page, kept up to date: when something changes, the first page is read again and the one that is looked at, however
 * many there are.
 */
export const useInbox = (filters: Filters, looked: () => number) => {
  const input = useMemo(() => ({ ...filters, limit: PAGE }), [filters])
  const queries = useQueryClient()
  const query = useOperationPages('list_signals', input, { keep: true })
  const key = useMemo(() => ['list_signals', input, 'pages'], [input])
  const pages = query.data?.pages
  const items = useMemo(() => itemsOf(pages ?? []), [pages])

  const edit = (change: (pages: readonly Page[]) => Page[]) =>
    queries.setQueryData<Pages>(key, before => before && { ...before, pages: change(before.pages) })

  const renew = async () => {
    const before = queries.getQueryData<Pages>(key)
    if (before === undefined || queries.isFetching({ queryKey: key }) > 0) return
    const places = new Set([0, Math.min(Math.floor(looked() / PAGE), before.pages.length - 1)])
    for (const place of places) {
      const cursor = before.pageParams[place]
      const after = await call('list_signals', { ...input, ...(cursor != null && { cursor }) }).catch(() => null)
      if (after === null) return
      edit(now =>
        now.map((page, index) => (index === place && page === before.pages[place] ? refreshPage(page, after) : page)),
      )
    }
  }

  const soon = useRef<{ timer: number; again: () => void }>({ timer: 0, again: () => {} })
  soon.current.again = () => void renew()
  const later = () => {
    soon.current.timer ||= window.setTimeout(() => {
      soon.current.timer = 0
      soon.current.again()
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
    live,
    /** Takes Signals out of the list at once; what is being read would bring them back. Answers what puts them back where they were. */
    remove: (ids: ReadonlySet<string>): (() => void) => {
      const before = queries.getQueryData<Pages>(key)
      const isShown = (id: string) =>
        queries.getQueryData<Pages>(key)?.pages.some(({ data }) => data.items.some(item => item.id === id))
      const removed = queries.cancelQueries({ queryKey: key }).then(() => edit(now => removeSignals(now, ids)))
      return () =>
        void removed.then(() => {
          if (before === undefined) return
          const others = itemsOf(before.pages).flatMap(({ id }) => (ids.has(id) || isShown(id) ? [] : [id]))
          edit(now =>
            // Pages that came meanwhile are right without them, and read again.
            now.length === before.pages.length ? removeSignals(before.pages, new Set(others)) : [...now],
          )
        })
    },
    replaceSignals: (signals: readonly Omit<Signal, 'snooze' | 'duplicate_of'>[]) =>
      edit(now => replaceSignals(now, signals)),
    /** Reads everything again: what is shown is not what is. */
    again: () => queries.invalidateQueries({ queryKey: ['list_signals'] }),
  }
}

export type Inbox = ReturnType<typeof useInbox>
