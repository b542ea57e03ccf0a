import { useItemKeys } from '../../parts/moving/use-item-keys.ts'
import { useKeys } from '../../shell/keys.ts'
import type { BoardItem } from './board-row.tsx'

interface Options {
  readonly items: readonly BoardItem[]
  readonly canEdit: boolean
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
  readonly onUnrank: (item: BoardItem) => void
  readonly onCreate: () => void
}

/** The board’s keys. `j` and `k` move the focus itself, so that Enter opens and what follows is about that row. Answers what hears of the focus. */
export const useBoardKeys = ({ items, canEdit, onWhy, onBoost, onUnrank, onCreate }: Options) => {
  const { focused, setFocused } = useItemKeys({
    ids: items.map(({ id }) => id),
    one: 'Solution',
    canMove: canEdit,
  })
  const here = (act: (item: BoardItem) => void) => () => {
    const item = items.find(({ id }) => id === focused)
    if (item !== undefined) act(item)
  }
  useKeys([
    { key: 'w', does: 'Why it is here', run: here(onWhy) },
    ...(canEdit
      ? [
          { key: 'u', does: 'Clear its rank', run: here(item => item.manual_rank !== null && onUnrank(item)) },
          { key: 'b', does: 'Boost it', run: here(onBoost) },
          { key: 'c', does: 'New Solution', run: onCreate },
        ]
      : []),
  ])
  return setFocused
}
