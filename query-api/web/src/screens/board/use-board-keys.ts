import { useKeys } from '../../shell/keys.ts'
import type { BoardItem } from './board-row.tsx'

interface Options {
  readonly items: readonly BoardItem[]
  /** The Solution whose row has the focus. */
  readonly focused: string | null
  readonly mayAct: boolean
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
  readonly onUnrank: (item: BoardItem) => void
  readonly onCreate: () => void
}

/** The board’s keys. `j` and `k` move the focus itself, so that Enter opens and what follows is about that row. */
export const useBoardKeys = ({ items, focused, mayAct, onWhy, onBoost, onUnrank, onCreate }: Options): void => {
  const place = items.findIndex(({ id }) => id === focused)
  const go = (to: number) => {
    const item = items[Math.min(Math.max(to, 0), items.length - 1)]
    if (item !== undefined) document.getElementById(`solution-${item.id}`)?.focus()
  }
  const here = (act: (item: BoardItem) => void) => () => {
    const item = items[place]
    if (item !== undefined) act(item)
  }
  const lift = ({ id }: BoardItem) => {
    document.querySelector<HTMLElement>(`[data-movable="${id}"] [data-handle]`)?.focus()
  }
  useKeys([
    { key: 'j', does: 'Next Solution', run: () => go(place + 1) },
    { key: 'k', does: 'Solution before', run: () => go(place === -1 ? items.length : place - 1) },
    { key: 'w', does: 'Why it is here', run: here(onWhy) },
    ...(mayAct
      ? [
          { key: 'r', does: 'Go to its handle; Space lifts it', run: here(lift) },
          { key: 'u', does: 'Take its rank away', run: here(item => item.manual_rank !== null && onUnrank(item)) },
          { key: 'b', does: 'Boost it', run: here(onBoost) },
          { key: 'c', does: 'New Solution', run: onCreate },
        ]
      : []),
  ])
}
