import { Text } from '@mantine/core'
import { counted } from '../../parts/counted.ts'
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
    doneMessage: `${reference} is at position ${position}.`,
    onDone: onClose,
  })
  const alongside = drop.ranked.length - 1
  return (
    <DecisionDialog
      opened
      title={`Rank ${reference} by hand`}
      action="Rank it here"
      statement={`Rank ${reference} at place ${position} of the board.`}
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
        <bdi>{title}</bdi> moves to position <b>{position}</b>.
        {alongside > 0 &&
          ` What has a rank stands before all that has none, so the ${counted(alongside, 'Solution')} above it without one ${alongside === 1 ? 'is' : 'are'} ranked too.`}
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
    doneMessage: `${reference} is ordered by its evidence.`,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={`Clear the rank of ${reference}`}
      action="Order it by evidence"
      statement={`Let the evidence place ${reference} on the board.`}
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
      <Text size="sm">It is ranked {manual_rank} by hand. Without that, evidence times boost places it.</Text>
    </DecisionDialog>
  )
}
