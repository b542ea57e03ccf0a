import { useState } from 'react'

/** Which of some groups is selected: the one that was, else the one that took its place; and which of its pairs. */
export const useSelection = () => {
  const [last, setLast] = useState({ id: '', position: 0, at: 0 })
  return {
    /** The selected one stays so while others come and go. */
    select: (id: string) => setLast(now => (now.id === id ? now : { ...now, id, at: 0 })),
    of: (groups: readonly { readonly survivor: { readonly id: string }; readonly pairs: readonly unknown[] }[]) => {
      const ids = groups.map(({ survivor }) => survivor.id)
      const found = ids.indexOf(last.id)
      const position = found >= 0 ? found : Math.max(0, Math.min(last.position, ids.length - 1))
      const selected = ids[position]
      // What took the place of a decided one is the selected one from then on.
      if (selected !== undefined && (selected !== last.id || position !== last.position)) {
        setLast({ id: selected, position, at: selected === last.id ? last.at : 0 })
      }
      const most = (groups[position]?.pairs.length ?? 1) - 1
      const at = Math.min(last.at, most)
      const go = (to: number) => {
        const id = ids[Math.max(0, Math.min(to, ids.length - 1))]
        if (id !== undefined) setLast(now => (now.id === id ? now : { ...now, id, at: 0 }))
      }
      return {
        selected,
        at,
        next: () => go(position + 1),
        previous: () => go(position - 1),
        nextPair: () => setLast({ ...last, at: Math.min(at + 1, most) }),
        previousPair: () => setLast({ ...last, at: Math.max(at - 1, 0) }),
      }
    },
  }
}
