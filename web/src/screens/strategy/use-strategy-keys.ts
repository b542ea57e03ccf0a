import { useItemKeys } from '../../parts/moving/use-item-keys.ts'
import { useKeys } from '../../shell/keys.ts'
import type { Element } from './layers.ts'
import type { OpenDialog } from './open-dialog.ts'

interface Options {
  readonly items: readonly Element[]
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** The keys of the strategy, about the element that has the focus. Answers what hears of the focus. */
export const useStrategyKeys = ({ items, canEdit, onOpenDialog }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: 'element', canMove: canEdit })
  const here = items.find(({ id }) => id === focused)
  const ask = (what: 'edit' | 'link' | 'remove') => () => here !== undefined && onOpenDialog({ what, element: here })
  useKeys(
    canEdit
      ? [
          {
            key: 'c',
            does: 'Add to the layer',
            run: () => onOpenDialog({ what: 'add', layer: here?.layer ?? 'vision' }),
          },
          { key: 'e', does: 'Edit it', run: ask('edit') },
          { key: 'l', does: 'Link claims and Solutions to it', run: ask('link') },
          { key: 'Delete', does: 'Remove it', run: ask('remove') },
        ]
      : [],
  )
  return setFocused
}
