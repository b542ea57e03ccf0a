import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'

interface Props {
  readonly of: { readonly reference: string; readonly manual_rank: number | null; readonly version?: number }
  readonly onClose: () => void
}

/** Takes a manual rank away, so that the evidence places the Solution. */
export const UnrankDialog = ({ of: { reference, manual_rank, version }, onClose }: Props) => {
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
      pending={unranking.isPending}
      error={unranking.error}
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
