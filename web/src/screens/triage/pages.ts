import type { Answer } from '../../api/client.ts'
import type { Signal } from './decision.ts'

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
