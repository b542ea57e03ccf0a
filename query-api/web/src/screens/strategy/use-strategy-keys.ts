import { useItemKeys } from '../../parts/moving/use-item-keys.ts'
import { useKeys } from '../../shell/keys.ts'
import type { Asked } from './asked.ts'
import type { Element } from './layers.ts'

interface Options {
  readonly items: readonly Element[]
  readonly mayAct: boolean
  readonly onAsk: (asked: Asked) => void
}

/** The keys of the strategy, about the element that has the focus. Answers what hears of the focus. */
export const useStrategyKeys = ({ items, mayAct, onAsk }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: 'element', mayMove: mayAct })
  const here = items.find(({ id }) => id === focused)
  const ask = (what: 'edit' | 'link' | 'remove') => () => here !== undefined && onAsk({ what, element: here })
  useKeys(
    mayAct
      ? [
          {
            key: 'c',
            does: 'Add to the layer',
            run: () => onAsk({ what: 'add', layer: here?.layer ?? 'vision' }),
          },
          { key: 'e', does: 'Edit it', run: ask('edit') },
          { key: 'l', does: 'Link claims and Solutions to it', run: ask('link') },
          { key: 'Delete', does: 'Remove it', run: ask('remove') },
        ]
      : [],
  )
  return setFocused
}
