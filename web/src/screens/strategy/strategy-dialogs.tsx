import { Text } from '@mantine/core'
import type { StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { Picker } from '../../parts/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, LAYERS, type Linked, layerOf, named, type OpenDialog, shortTitleOf } from './layers.ts'
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
  const { id, title, text, version, claim_count, solution_count } = element
  const form = useForm({
    name: `remove element ${id}`,
    labels: { title: t('Title'), text: t('Summary'), claim_count: t('Claims'), solution_count: t('Solutions') },
    now: { version, values: { title, text, claim_count, solution_count } },
    isWhole: true,
  })
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
      statement={null}
      change={removing}
      form={form}
      onClose={onClose}
      onDecide={grounds => removing.decide({ action: 'remove', strategy_id: id, ...form.expected, ...grounds })}
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

const placeOf = (layer: StrategyLayer, position: number): string =>
  t('{title}, place {number}', { title: LAYERS[layer].title, number: position })

interface MoveElementProps {
  readonly element: Element
  readonly to: ListPosition
  readonly onClose: () => void
}

/** Asks for the Decision that puts an element where it was dropped, in its layer or another. */
const MoveElement = ({ element, to, onClose }: MoveElementProps) => {
  const layer = layerOf(to.list)
  const form = useForm({
    name: `move element ${element.id}`,
    labels: { place: t('Place') },
    now: { version: element.version, values: { place: placeOf(element.layer, element.position) } },
    proposed: { place: placeOf(layer, to.position + 1) },
  })
  const moving = useDecisionChange('change_strategy', {
    doneMessage: t('{element} is moved.', { element: named(element) }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Move {element}', { element: named(element) })}
      action={t('Move it')}
      statement={
        layer === element.layer
          ? statement('Move “{title}” to place {number}.', { title: shortTitleOf(element), number: to.position + 1 })
          : statement('Move “{title}” to the layer “{said}”.', { title: shortTitleOf(element), said: layer })
      }
      change={moving}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        moving.decide({
          action: 'move',
          strategy_id: element.id,
          layer,
          position: to.position + 1,
          ...form.expected,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('It moves to position {number} of {title}.', {
          number: <b>{to.position + 1}</b>,
          title: LAYERS[layer].title,
        })}
        {layer !== element.layer && ` ${t('It becomes {one}, and keeps its links.', { one: LAYERS[layer].one })}`}
      </Text>
    </DecisionDialog>
  )
}

interface LinkElementProps {
  readonly element: Element
  readonly onClose: () => void
}

const NOTHING: { readonly claims: readonly string[]; readonly solutions: readonly string[] } = {
  claims: [],
  solutions: [],
}

/** Links claims and Solutions that bear on an element. */
const LinkElement = ({ element, onClose }: LinkElementProps) => {
  const { id, version, claims: linkedClaims, solutions: linkedSolutions } = element
  // More links are no other word for those that somebody else has added: both stand.
  const form = useForm({
    name: `link element ${id}`,
    labels: { claims: t('Claims'), solutions: t('Solutions') },
    now: { version, values: NOTHING },
  })
  const { claims, solutions } = form.values
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
          ? null
          : statement('Link {chosen} to “{title}”.', { chosen: chosen.join(', '), title: shortTitleOf(element) })
      }
      change={linking}
      form={form}
      missing={chosen.length === 0 ? t('what is linked') : null}
      onClose={onClose}
      onDecide={grounds =>
        linking.decide({
          action: 'link',
          strategy_id: id,
          ...form.expected,
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...(solutions.length > 0 && { solution_ids: [...solutions] }),
          ...grounds,
        })
      }
    >
      <Picker
        type="claim"
        label={t('Claims')}
        description={t('What people said that this answers, or that speaks against it.')}
        value={claims}
        onChange={changed => form.write({ claims: changed })}
        without={linkedClaims.map(({ reference }) => reference)}
        focused
      />
      <Picker
        type="solution"
        label={t('Solutions')}
        description={t('What is built for it.')}
        value={solutions}
        onChange={changed => form.write({ solutions: changed })}
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
  const form = useForm({
    name: `unlink ${reference} of element ${element.id}`,
    labels: {},
    now: { version: element.version, values: {} },
  })
  const unlinking = useDecisionChange('change_strategy', {
    doneMessage: t('{reference} is unlinked.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Unlink {reference}', { reference })}
      action={t('Unlink it')}
      statement={statement('{reference} is not related to “{title}”.', { reference, title: shortTitleOf(element) })}
      change={unlinking}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        unlinking.decide({
          action: 'unlink',
          strategy_id: element.id,
          ...form.expected,
          ...(type === 'claim' ? { claim_ids: [reference] } : { solution_ids: [reference] }),
          ...grounds,
        })
      }
    >
      <Text size="sm">{rich('{title} itself stays as it is.', { title: <bdi>{title}</bdi> })}</Text>
    </DecisionDialog>
  )
}
