import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, named } from './layers.ts'
import type { Linked } from './open-dialog.ts'

interface Props {
  readonly element: Element
  readonly linked: Linked
  readonly onClose: () => void
}

/** Takes the link of a claim or a Solution off an element. */
export const UnlinkElement = ({ element, linked: { type, reference, title }, onClose }: Props) => {
  const unlinking = useDecisionChange('change_strategy', { doneMessage: `${reference} is unlinked.`, onDone: onClose })
  return (
    <DecisionDialog
      opened
      title={`Unlink ${reference}`}
      action="Unlink it"
      statement={`${reference} does not bear on ${named(element)}.`}
      pending={unlinking.isPending}
      error={unlinking.error}
      onClose={onClose}
      onDecide={grounds =>
        unlinking.decide({
          action: 'unlink',
          strategy_id: element.id,
          version: element.version,
          ...(type === 'claim' ? { claim_ids: [reference] } : { solution_ids: [reference] }),
          ...grounds,
        })
      }
    >
      <Text size="sm">
        <bdi>{title}</bdi> itself stays as it is.
      </Text>
    </DecisionDialog>
  )
}
