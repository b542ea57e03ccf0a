import { ROADMAP_HORIZONS, type RoadmapHorizon } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import type { ListPosition, MovableList } from '../../parts/moving/list-positions.ts'

export type RoadmapItem = Output<'orient_roadmap'>['items'][number]

interface Words {
  readonly title: string
  readonly about: string
}

export const HORIZONS: Readonly<Record<RoadmapHorizon, Words>> = {
  now: { title: t('Now'), about: t('What is being built.') },
  next: { title: t('Next'), about: t('What comes after that.') },
  later: { title: t('Later'), about: t('What is wanted, with no date yet.') },
}

/** The horizons in order, each with its Solutions. */
export const listsOf = (items: readonly RoadmapItem[]): readonly MovableList[] =>
  ROADMAP_HORIZONS.map(horizon => ({
    id: horizon,
    items: items.filter(item => item.horizon === horizon).map(({ id }) => id),
  }))

export const horizonOf = (list: string): RoadmapHorizon => ROADMAP_HORIZONS.find(horizon => horizon === list) ?? 'later'

/** What is over is not moved: it stays where it was decided until somebody takes it off. */
export const isOver = ({ state }: Pick<RoadmapItem, 'state'>): boolean => state === 'Done' || state === 'Dropped'

/** Said of a place: `number 2 of Next`. */
export const positionLabel = ({ list, position }: ListPosition): string =>
  t('number {number} of {title}', { number: position + 1, title: HORIZONS[horizonOf(list)].title })

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
