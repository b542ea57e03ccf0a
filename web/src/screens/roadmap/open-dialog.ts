import type { ListPosition } from '../../parts/moving/list-positions.ts'
import type { RoadmapItem } from './horizons.ts'

/** What somebody wants to do, for which a Decision is asked. */
export type OpenDialog =
  | { readonly what: 'place' }
  | { readonly what: 'remove'; readonly item: RoadmapItem }
  | { readonly what: 'move'; readonly item: RoadmapItem; readonly to: ListPosition }

/** What was asked, about the Solution as it is by now: the page reads again while a dialog is open. */
export const refreshDialog = (dialog: OpenDialog, items: readonly RoadmapItem[]): OpenDialog => {
  if (dialog.what === 'place') return dialog
  const item = items.find(({ id }) => id === dialog.item.id) ?? dialog.item
  if (dialog.what === 'remove') return { ...dialog, item }
  const { list, position } = dialog.to
  const others = items.filter(({ id, horizon }) => horizon === list && id !== item.id)
  return { ...dialog, item, to: { list, position: Math.min(position, others.length) } }
}
