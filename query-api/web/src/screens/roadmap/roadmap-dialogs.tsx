import type { Asked } from './asked.ts'
import type { RoadmapItem } from './horizons.ts'
import { MoveSolution } from './move-solution.tsx'
import { PlaceSolution } from './place-solution.tsx'
import { TakeOff } from './take-off.tsx'

interface Props {
  readonly asked: Asked
  readonly items: readonly RoadmapItem[]
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const RoadmapDialogs = ({ asked, items, onClose }: Props) => {
  switch (asked.what) {
    case 'place':
      return <PlaceSolution placed={items.map(({ reference }) => reference)} onClose={onClose} />
    case 'move':
      return <MoveSolution item={asked.item} to={asked.to} onClose={onClose} />
    case 'remove':
      return <TakeOff item={asked.item} onClose={onClose} />
  }
}
