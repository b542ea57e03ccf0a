import { useItemKeys } from '../../parts/moving/use-item-keys.ts'
import { useKeys } from '../../shell/keys.ts'
import type { Asked } from './asked.ts'
import type { RoadmapItem } from './horizons.ts'

interface Options {
  readonly items: readonly RoadmapItem[]
  readonly mayAct: boolean
  readonly onAsk: (asked: Asked) => void
}

/** The keys of the roadmap, about the Solution that has the focus. Answers what hears of the focus. */
export const useRoadmapKeys = ({ items, mayAct, onAsk }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: 'Solution', mayMove: mayAct })
  const here = items.find(({ id }) => id === focused)
  useKeys(
    mayAct
      ? [
          { key: 'p', does: 'Place a Solution', run: () => onAsk({ what: 'place' }) },
          {
            key: 'Delete',
            does: 'Take it off the roadmap',
            run: () => here !== undefined && onAsk({ what: 'remove', item: here }),
          },
        ]
      : [],
  )
  return setFocused
}
