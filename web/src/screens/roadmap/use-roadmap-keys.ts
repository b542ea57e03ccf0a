import { useItemKeys } from '../../parts/moving/use-item-keys.ts'
import { useKeys } from '../../shell/keys.ts'
import type { RoadmapItem } from './horizons.ts'
import type { OpenDialog } from './open-dialog.ts'

interface Options {
  readonly items: readonly RoadmapItem[]
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** The keys of the roadmap, about the Solution that has the focus. Answers what hears of the focus. */
export const useRoadmapKeys = ({ items, canEdit, onOpenDialog }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: 'Solution', canMove: canEdit })
  const here = items.find(({ id }) => id === focused)
  useKeys(
    canEdit
      ? [
          { key: 'p', does: 'Place a Solution', run: () => onOpenDialog({ what: 'place' }) },
          {
            key: 'Delete',
            does: 'Remove it from the roadmap',
            run: () => here !== undefined && onOpenDialog({ what: 'remove', item: here }),
          },
        ]
      : [],
  )
  return setFocused
}
