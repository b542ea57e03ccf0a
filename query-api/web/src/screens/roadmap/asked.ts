import type { Spot } from '../../parts/moving/spots.ts'
import type { RoadmapItem } from './horizons.ts'

/** What somebody wants to do, for which a Decision is asked. */
export type Asked =
  | { readonly what: 'place' }
  | { readonly what: 'remove'; readonly item: RoadmapItem }
  | { readonly what: 'move'; readonly item: RoadmapItem; readonly to: Spot }

/** What was asked, about the Solution as it is by now: the page reads again while a dialog is open. */
export const asNow = (asked: Asked, items: readonly RoadmapItem[]): Asked => {
  if (asked.what === 'place') return asked
  const item = items.find(({ id }) => id === asked.item.id) ?? asked.item
  if (asked.what === 'remove') return { ...asked, item }
  const { list, place } = asked.to
  const others = items.filter(({ id, horizon }) => horizon === list && id !== item.id)
  return { ...asked, item, to: { list, place: Math.min(place, others.length) } }
}
