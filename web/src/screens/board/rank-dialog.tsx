import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { counted } from '../solutions/figures.ts'
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
      pending={ranking.isPending}
      error={ranking.error}
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
