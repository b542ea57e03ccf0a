import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { counted } from '../solutions/figures.ts'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, named } from './layers.ts'

interface Props {
  readonly element: Element
  readonly onClose: () => void
}

/** Takes an element out of the strategy. */
export const RemoveElement = ({ element, onClose }: Props) => {
  const { id, version, claim_count, solution_count } = element
  const removing = useDecisionChange('change_strategy', {
    doneMessage: `${named(element)} is removed.`,
    onDone: onClose,
  })
  const links = claim_count + solution_count
  return (
    <DecisionDialog
      opened
      title={`Remove ${named(element)}`}
      action="Remove it"
      statement=""
      pending={removing.isPending}
      error={removing.error}
      onClose={onClose}
      onDecide={grounds => removing.decide({ action: 'remove', strategy_id: id, version, ...grounds })}
    >
      <Text size="sm">
        It leaves the strategy{links > 0 && ` with its ${counted(links, 'link')}; the claims and Solutions stay`}.
        Reversing the Decision brings it back.
      </Text>
    </DecisionDialog>
  )
}
