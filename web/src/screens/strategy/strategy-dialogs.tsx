import { Input, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { counted } from '../../parts/counted.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { Picker } from '../../parts/picking/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { ElementTexts } from './element-texts.tsx'
import { type Element, LAYERS, layerOf, named } from './layers.ts'
import { LinkElement, UnlinkElement } from './link-element.tsx'
import type { OpenDialog } from './open-dialog.ts'

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

interface EditElementProps {
  readonly element: Element
  readonly onClose: () => void
}

/** Changes what an element is called and what it is. Only what the person wrote is sent: the other text may be somebody else’s by then. */
const EditElement = ({ element, onClose }: EditElementProps) => {
  const { id, title, text, version } = element
  const [written, setWritten] = useState<{ readonly title?: string; readonly summary?: string }>({})
  const editing = useDecisionChange('change_strategy', {
    doneMessage: t('{element} is changed.', { element: named(element) }),
    onDone: onClose,
  })
  const changes = {
    ...(written.title !== undefined && written.title.trim() !== title && { title: written.title.trim() }),
    ...(written.summary !== undefined && written.summary !== text && { summary: written.summary }),
  }
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Edit {element}', { element: named(element) })}
      action={t('Change it')}
      statement={t('Say better what {element} is.', { element: named(element) })}
      change={editing}
      missing={changes.title === '' ? t('a title') : Object.keys(changes).length === 0 ? t('a change') : null}
      onClose={onClose}
      onDecide={grounds => editing.decide({ action: 'update', strategy_id: id, ...changes, version, ...grounds })}
    >
      <ElementTexts
        texts={{ title: written.title ?? title, summary: written.summary ?? text }}
        onChange={changed => setWritten({ ...written, ...changed })}
      />
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

interface AddElementProps {
  readonly layer: StrategyLayer
  readonly onClose: () => void
}

const NOTHING: readonly string[] = []

/** Adds a vision, objective or bet, at the end of its layer. */
const AddElement = ({ layer: begun, onClose }: AddElementProps) => {
  const [layer, setLayer] = useState(begun)
  const [texts, setTexts] = useState({ title: '', summary: '' })
  const [claims, setClaims] = useState(NOTHING)
  const [solutions, setSolutions] = useState(NOTHING)
  const title = texts.title.trim()
  const adding = useDecisionChange('change_strategy', {
    doneMessage: t('{named} is added.', { named: named({ title }) }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Add {one}', { one: LAYERS[layer].one })}
      action={t('Add it')}
      statement=""
      change={adding}
      missing={title === '' ? t('a title') : null}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({
          action: 'add',
          layer,
          title,
          ...(texts.summary.trim() !== '' && { summary: texts.summary }),
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...(solutions.length > 0 && { solution_ids: [...solutions] }),
          ...grounds,
        })
      }
    >
      <Input.Wrapper label={t('Layer')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('Layer')}
          data={STRATEGY_LAYERS.map(value => ({ value, label: LAYERS[value].title }))}
          value={layer}
          onChange={chosen => setLayer(layerOf(chosen))}
        />
      </Input.Wrapper>
      <ElementTexts texts={texts} onChange={changed => setTexts({ ...texts, ...changed })} />
      <Picker type="claim" label={t('Claims')} value={claims} onChange={setClaims} />
      <Picker type="solution" label={t('Solutions')} value={solutions} onChange={setSolutions} />
    </DecisionDialog>
  )
}
