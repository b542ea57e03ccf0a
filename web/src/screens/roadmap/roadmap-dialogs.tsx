import type { RoadmapItem } from './horizons.ts'
import { MoveSolution } from './move-solution.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { PlaceSolution } from './place-solution.tsx'
import { RemoveFromRoadmap } from './remove-from-roadmap.tsx'

interface Props {
  readonly dialog: OpenDialog
  readonly items: readonly RoadmapItem[]
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const RoadmapDialogs = ({ dialog, items, onClose }: Props) => {
  switch (dialog.what) {
    case 'place':
      return <PlaceSolution placed={items.map(({ reference }) => reference)} onClose={onClose} />
    case 'move':
      return <MoveSolution item={dialog.item} to={dialog.to} onClose={onClose} />
    case 'remove':
      return <RemoveFromRoadmap item={dialog.item} onClose={onClose} />
  }
}
