import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { Spot } from '../../parts/moving/spots.ts'
import { useDecided } from '../solutions/use-decided.ts'
import { horizonOf, type RoadmapItem, said } from './horizons.ts'

interface Props {
  readonly item: RoadmapItem
  readonly to: Spot
  readonly onClose: () => void
}

/** Asks for the Decision that puts a Solution where it was dropped. */
export const MoveSolution = ({ item: { reference, title, version }, to, onClose }: Props) => {
  const moving = useDecided('change_roadmap', { says: `${reference} is ${said(to)}.`, onDone: onClose })
  return (
    <DecisionDialog
      opened
      title={`Move ${reference}`}
      action="Move it"
      statement={`Place ${reference} as ${said(to)}.`}
      pending={moving.isPending}
      error={moving.error}
      onClose={onClose}
      onDecide={grounds =>
        moving.decide({
          action: 'place',
          solution_id: reference,
          horizon: horizonOf(to.list),
          position: to.place + 1,
          version,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        <bdi>{title}</bdi> is to stand as <b>{said(to)}</b>.
      </Text>
    </DecisionDialog>
  )
}
