import { Input, SegmentedControl } from '@mantine/core'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedInput, LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { useForm, useNewForm } from '../../parts/forms/use-form.ts'
import { Picker } from '../../parts/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, LAYERS, layerOf, named, shortTitleOf } from './layers.ts'

interface EditElementProps {
  readonly element: Element
  readonly onClose: () => void
}

/**
 * Changes what an element is called and what it is. Only what the person wrote is sent: the other text may be somebody
 * else’s by then.
 */
export const EditElement = ({ element, onClose }: EditElementProps) => {
  const { id, title, text, version } = element
  const form = useForm<Texts>({
    name: `edit element ${id}`,
    labels: { title: t('Title'), summary: t('Summary') },
    now: { version, values: { title, summary: text } },
  })
  const { values, changes, write } = form
  const editing = useDecisionChange('change_strategy', {
    doneMessage: t('{element} is changed.', { element: named(element) }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Edit {element}', { element: named(element) })}
      action={t('Change it')}
      statement={statement('Describe “{title}” more clearly.', { title: shortTitleOf(element) })}
      change={editing}
      form={form}
      missing={values.title.trim() === '' ? t('a title') : Object.keys(changes).length === 0 ? t('a change') : null}
      onClose={onClose}
      onDecide={grounds =>
        editing.decide({ action: 'update', strategy_id: id, ...changes, ...form.expected, ...grounds })
      }
    >
      <ElementTexts texts={values} onChange={write} />
    </DecisionDialog>
  )
}

interface AddElementProps {
  readonly layer: StrategyLayer
  readonly onClose: () => void
}

interface Added extends Texts {
  readonly layer: StrategyLayer
  readonly claims: readonly string[]
  readonly solutions: readonly string[]
}

/** Adds a vision, objective or bet, at the end of its layer. */
export const AddElement = ({ layer: begun, onClose }: AddElementProps) => {
  const form = useNewForm<Added>('new element', { layer: begun, title: '', summary: '', claims: [], solutions: [] })
  const { layer, summary, claims, solutions } = form.values
  const title = form.values.title.trim()
  const adding = useDecisionChange('change_strategy', {
    doneMessage: t('{named} is added.', { named: named({ title }) }),
    draft: form.name,
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Add {one}', { one: LAYERS[layer].one })}
      action={t('Add it')}
      statement={null}
      change={adding}
      form={form}
      missing={title === '' ? t('a title') : null}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({
          action: 'add',
          layer,
          title,
          ...(summary.trim() !== '' && { summary }),
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
          onChange={chosen => form.write({ layer: layerOf(chosen) })}
        />
      </Input.Wrapper>
      <ElementTexts texts={form.values} onChange={form.write} />
      <Picker type="claim" label={t('Claims')} value={claims} onChange={changed => form.write({ claims: changed })} />
      <Picker
        type="solution"
        label={t('Solutions')}
        value={solutions}
        onChange={changed => form.write({ solutions: changed })}
      />
    </DecisionDialog>
  )
}

interface Texts extends FormValues {
  readonly title: string
  readonly summary: string
}

interface Props {
  readonly texts: Texts
  readonly onChange: (changed: Partial<Texts>) => void
}

/** What an element is called and what it is, to be written. */
const ElementTexts = ({ texts: { title, summary }, onChange }: Props) => (
  <>
    <LimitedInput
      label={t('Title')}
      data-autofocus
      required
      withAsterisk={false}
      most={MAX_CHARACTERS.title}
      value={title}
      onChange={event => onChange({ title: event.currentTarget.value })}
    />
    <LimitedTextarea
      label={t('Summary')}
      description={t('Optional, in Markdown.')}
      autosize
      minRows={3}
      maxRows={10}
      most={MAX_CHARACTERS.elementSummary}
      value={summary}
      onChange={event => onChange({ summary: event.currentTarget.value })}
    />
  </>
)
