import { Text } from '@mantine/core'
import { plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import type { BoardItem } from './board-row.tsx'
import type { Drop } from './plan-drop.ts'

interface Props {
  readonly item: BoardItem
  /** Its place as it is to be, from 1. */
  readonly position: number
  readonly drop: Drop<BoardItem>
  readonly onClose: () => void
}

/** Asks for the Decision that puts a Solution where it was dropped. */
export const RankDialog = ({ item: { reference, title }, position, drop, onClose }: Props) => {
  const ranking = useDecisionChange('rank_solutions', {
    doneMessage: t('{reference} is at position {position}.', { reference, position }),
    onDone: onClose,
  })
  const alongside = drop.ranked.length - 1
  return (
    <DecisionDialog
      opened
      title={t('Rank {reference} by hand', { reference })}
      action={t('Rank it here')}
      statement={t('Rank {reference} at place {position} of the board.', { reference, position })}
      change={ranking}
      onClose={onClose}
      onDecide={grounds =>
        ranking.decide({
          solutions: drop.ranked.map(({ id, version }) => ({
            solution_id: id,
            ...(version !== undefined && { version }),
          })),
          manual_rank: drop.manual_rank,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('{title} moves to position {position}.', { title: <bdi>{title}</bdi>, position: <b>{position}</b> })}
        {alongside > 0 &&
          ` ${plural(alongside, 'What has a rank stands before all that has none, so the {number} Solution above it without one is ranked too.', 'What has a rank stands before all that has none, so the {number} Solutions above it without one are ranked too.')}`}
      </Text>
    </DecisionDialog>
  )
}

interface UnrankDialogProps {
  readonly of: { readonly reference: string; readonly manual_rank: number | null; readonly version?: number }
  readonly onClose: () => void
}

/** Takes a manual rank away, so that the evidence places the Solution. */
export const UnrankDialog = ({ of: { reference, manual_rank, version }, onClose }: UnrankDialogProps) => {
  const unranking = useDecisionChange('prioritize_solution', {
    doneMessage: t('{reference} is ordered by its evidence.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Clear the rank of {reference}', { reference })}
      action={t('Order it by evidence')}
      statement={t('Let the evidence place {reference} on the board.', { reference })}
      change={unranking}
      onClose={onClose}
      onDecide={grounds =>
        unranking.decide({
          solution_id: reference,
          unranked: true,
          ...(version !== undefined && { version }),
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('It is ranked {manual_rank} by hand. Without that, evidence times boost places it.', { manual_rank })}
      </Text>
    </DecisionDialog>
  )
}
