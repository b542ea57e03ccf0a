import { Text } from '@mantine/core'
import { useState } from 'react'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { Picker } from '../../parts/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, LAYERS, type Linked, layerOf, named, type OpenDialog } from './layers.ts'
import { AddElement, EditElement } from './write-element.tsx'

interface Props {
  readonly dialog: OpenDialog
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const StrategyDialogs = ({ dialog, onClose }: Props) => {
  switch (dialog.what) {
    case 'add':
      return <AddElement layer={dialog.layer} onClose={onClose} />
    case 'edit':
      return <EditElement element={dialog.element} onClose={onClose} />
    case 'link':
      return <LinkElement element={dialog.element} onClose={onClose} />
    case 'unlink':
      return <UnlinkElement element={dialog.element} linked={dialog.linked} onClose={onClose} />
    case 'move':
      return <MoveElement element={dialog.element} to={dialog.to} onClose={onClose} />
    case 'remove':
      return <RemoveElement element={dialog.element} onClose={onClose} />
  }
}

interface RemoveElementProps {
  readonly element: Element
  readonly onClose: () => void
}

/** Takes an element out of the strategy. */
const RemoveElement = ({ element, onClose }: RemoveElementProps) => {
  const { id, version, claim_count, solution_count } = element
  const removing = useDecisionChange('change_strategy', {
    doneMessage: t('{element} is removed.', { element: named(element) }),
    onDone: onClose,
  })
  const links = claim_count + solution_count
  return (
    <DecisionDialog
      opened
      title={t('Remove {element}', { element: named(element) })}
      action={t('Remove it')}
      statement=""
      change={removing}
      onClose={onClose}
      onDecide={grounds => removing.decide({ action: 'remove', strategy_id: id, version, ...grounds })}
    >
      <Text size="sm">
        {links > 0
          ? t(
              'It leaves the strategy with its {links}; the claims and Solutions stay. Reversing the Decision brings it back.',
              { links: counted(links, 'link') },
            )
          : t('It leaves the strategy. Reversing the Decision brings it back.')}
      </Text>
    </DecisionDialog>
  )
}

interface MoveElementProps {
  readonly element: Element
  readonly to: ListPosition
  readonly onClose: () => void
}

/** Asks for the Decision that puts an element where it was dropped, in its layer or another. */
const MoveElement = ({ element, to, onClose }: MoveElementProps) => {
  const layer = layerOf(to.list)
  const where =
    layer === element.layer
      ? t('to place {number}', { number: to.position + 1 })
      : t('to the layer {title}', { title: LAYERS[layer].title })
  const moving = useDecisionChange('change_strategy', {
    doneMessage: t('{element} is moved.', { element: named(element) }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Move {element}', { element: named(element) })}
      action={t('Move it')}
      statement={t('Move {element} {where}.', { element: named(element), where })}
      change={moving}
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
        {rich('It moves to position {number} of {title}.', {
          number: <b>{to.position + 1}</b>,
          title: LAYERS[layer].title,
        })}
        {layer !== element.layer &&
          ` ${t('It is {one} then, with the links that it has.', { one: LAYERS[layer].one })}`}
      </Text>
    </DecisionDialog>
  )
}

interface LinkElementProps {
  readonly element: Element
  readonly onClose: () => void
}

const NOTHING: readonly string[] = []

/** Links claims and Solutions that bear on an element. */
const LinkElement = ({ element, onClose }: LinkElementProps) => {
  const { id, version, claims: linkedClaims, solutions: linkedSolutions } = element
  const [claims, setClaims] = useState(NOTHING)
  const [solutions, setSolutions] = useState(NOTHING)
  const linking = useDecisionChange('change_strategy', {
    doneMessage: t('{element} has more links.', { element: named(element) }),
    onDone: onClose,
  })
  const chosen = [...claims, ...solutions]
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Link to {element}', { element: named(element) })}
      action={t('Link')}
      statement={
        chosen.length === 0
          ? ''
          : t('Link {chosen} to {element}.', { chosen: chosen.join(', '), element: named(element) })
      }
      change={linking}
      missing={chosen.length === 0 ? t('what is linked') : null}
      onClose={onClose}
      onDecide={grounds =>
        linking.decide({
          action: 'link',
          strategy_id: id,
          version,
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...(solutions.length > 0 && { solution_ids: [...solutions] }),
          ...grounds,
        })
      }
    >
      <Picker
        type="claim"
        label={t('Claims')}
        description={t('What was said that this is an answer to, or that speaks against it.')}
        value={claims}
        onChange={setClaims}
        without={linkedClaims.map(({ reference }) => reference)}
      />
      <Picker
        type="solution"
        label={t('Solutions')}
        description={t('What is built for it.')}
        value={solutions}
        onChange={setSolutions}
        without={linkedSolutions.map(({ reference }) => reference)}
      />
    </DecisionDialog>
  )
}

interface UnlinkElementProps {
  readonly element: Element
  readonly linked: Linked
  readonly onClose: () => void
}

/** Takes the link of a claim or a Solution off an element. */
const UnlinkElement = ({ element, linked: { type, reference, title }, onClose }: UnlinkElementProps) => {
  const unlinking = useDecisionChange('change_strategy', {
    doneMessage: t('{reference} is unlinked.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Unlink {reference}', { reference })}
      action={t('Unlink it')}
      statement={t('{reference} does not bear on {element}.', { reference, element: named(element) })}
      change={unlinking}
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
      <Text size="sm">{rich('{title} itself stays as it is.', { title: <bdi>{title}</bdi> })}</Text>
    </DecisionDialog>
  )
}
