import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { HORIZONS, isOver, type RoadmapItem } from './horizons.ts'

interface Props {
  readonly item: RoadmapItem
  readonly onClose: () => void
}

/** Takes a Solution off the roadmap. */
export const RemoveFromRoadmap = ({ item, onClose }: Props) => {
  const { reference, title, horizon, state, version } = item
  const taking = useDecisionChange('change_roadmap', {
    doneMessage: `${reference} is off the roadmap.`,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={`Remove ${reference} from the roadmap`}
      action="Remove"
      statement={isOver(item) ? `${reference} is ${state}.` : ''}
      pending={taking.isPending}
      error={taking.error}
      onClose={onClose}
      onDecide={grounds => taking.decide({ action: 'remove', solution_id: reference, version, ...grounds })}
    >
      <Text size="sm">
        <bdi>{title}</bdi> leaves {HORIZONS[horizon].title}. It stays on the Board as it is.
      </Text>
    </DecisionDialog>
  )
}
