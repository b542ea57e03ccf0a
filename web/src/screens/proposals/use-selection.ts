import { useState } from 'react'

/** Which of some ids is selected: the one that was, else the one that took its place. */
export const useSelection = (ids: readonly string[]) => {
  const [last, setLast] = useState({ id: '', position: 0 })
  const found = ids.indexOf(last.id)
  const position = found >= 0 ? found : Math.max(0, Math.min(last.position, ids.length - 1))
  const select = (to: number) => {
    const id = ids[to]
    if (id !== undefined) setLast({ id, position: to })
  }
  // What took the place of a decided one is the selected one from then on.
  const selected = ids[position]
  if (selected !== undefined && selected !== last.id) setLast({ id: selected, position })
  return {
    selected,
    next: () => select(position + 1),
    previous: () => select(position - 1),
    select: (id: string) => select(ids.indexOf(id)),
  }
}
