import { Input, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, LAYERS, layerOf, named } from './layers.ts'

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

interface AddElementProps {
  readonly layer: StrategyLayer
  readonly onClose: () => void
}

const NOTHING: readonly string[] = []

/** Adds a vision, objective or bet, at the end of its layer. */
export const AddElement = ({ layer: begun, onClose }: AddElementProps) => {
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

interface Texts {
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
    <TextInput
      label={t('Title')}
      data-autofocus
      required
      withAsterisk={false}
      maxLength={MAX_CHARACTERS.title}
      value={title}
      onChange={event => onChange({ title: event.currentTarget.value })}
    />
    <Textarea
      label={t('Summary')}
      description={t('Optional, in Markdown.')}
      autosize
      minRows={3}
      maxRows={10}
      maxLength={MAX_CHARACTERS.elementSummary}
      value={summary}
      onChange={event => onChange({ summary: event.currentTarget.value })}
    />
  </>
)
