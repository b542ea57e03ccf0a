import { Text } from '@mantine/core'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, LAYERS, layerOf, named } from './layers.ts'

interface Props {
  readonly element: Element
  readonly to: ListPosition
  readonly onClose: () => void
}

/** Asks for the Decision that puts an element where it was dropped, in its layer or another. */
export const MoveElement = ({ element, to, onClose }: Props) => {
  const layer = layerOf(to.list)
  const where = layer === element.layer ? `to place ${to.position + 1}` : `to the layer ${LAYERS[layer].title}`
  const moving = useDecisionChange('change_strategy', { doneMessage: `${named(element)} is moved.`, onDone: onClose })
  return (
    <DecisionDialog
      opened
      title={`Move ${named(element)}`}
      action="Move it"
      statement={`Move ${named(element)} ${where}.`}
      pending={moving.isPending}
      error={moving.error}
      onClose={onClose}
      onDecide={grounds =>
        moving.decide({
          action: 'move',
          strategy_id: element.id,
          layer,
          position: to.position + 1,
          version: element.version,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        It moves to position <b>{to.position + 1}</b> of {LAYERS[layer].title}.
        {layer !== element.layer && ` It is ${LAYERS[layer].one} then, with the links that it has.`}
      </Text>
    </DecisionDialog>
  )
}
