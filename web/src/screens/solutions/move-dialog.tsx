import { Text } from '@mantine/core'
import type { SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from './use-decision-change.ts'

const TELLS: Readonly<Partial<Record<SolutionState, string>>> = {
  Done: 'Done is final, and only a person decides it. What came of it is then recorded as its Outcome.',
  Dropped: 'Say why: whoever asks for it again will read it. It may come back to the Backlog.',
}

interface Props {
  readonly solution: { readonly reference: string; readonly state: SolutionState; readonly version: number }
  readonly to: SolutionState
  readonly onClose: () => void
}

/** Asks for the Decision that moves a Solution to another state. */
export const MoveDialog = ({ solution: { reference, state, version }, to, onClose }: Props) => {
  const moving = useDecisionChange('update_solution', { doneMessage: `${reference} is ${to}.`, onDone: onClose })
  const tells = TELLS[to]
  return (
    <DecisionDialog
      opened
      title={`Move ${reference} from ${state} to ${to}`}
      action={`Move to ${to}`}
      // What is given up needs its reason, which only the person knows.
      statement={to === 'Dropped' ? '' : `Move ${reference} to ${to}.`}
      pending={moving.isPending}
      error={moving.error}
      onClose={onClose}
      onDecide={grounds => moving.decide({ solution_id: reference, state: to, version, ...grounds })}
    >
      {tells !== undefined && <Text size="sm">{tells}</Text>}
    </DecisionDialog>
  )
}
