import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { horizonOf, positionLabel, type RoadmapItem } from './horizons.ts'

interface Props {
  readonly item: RoadmapItem
  readonly to: ListPosition
  readonly onClose: () => void
}

/** Asks for the Decision that puts a Solution where it was dropped. */
export const MoveSolution = ({ item: { reference, title, version }, to, onClose }: Props) => {
  const moving = useDecisionChange('change_roadmap', {
    doneMessage: `${reference} is ${positionLabel(to)}.`,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={`Move ${reference}`}
      action="Move it"
      statement={`Place ${reference} as ${positionLabel(to)}.`}
      pending={moving.isPending}
      error={moving.error}
      onClose={onClose}
      onDecide={grounds =>
        moving.decide({
          action: 'place',
          solution_id: reference,
          horizon: horizonOf(to.list),
          position: to.position + 1,
          version,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        <bdi>{title}</bdi> moves to <b>{positionLabel(to)}</b>.
      </Text>
    </DecisionDialog>
  )
}
