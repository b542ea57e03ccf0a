import { Input, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { STRATEGY_LAYERS, type StrategyLayer } from '../../../../schemas/domain/vocabulary.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picking/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { ElementTexts } from './element-texts.tsx'
import { LAYERS, layerOf, named } from './layers.ts'

interface Props {
  readonly layer: StrategyLayer
  readonly onClose: () => void
}

const NOTHING: readonly string[] = []

/** Adds a vision, objective or bet, at the end of its layer. */
export const AddElement = ({ layer: begun, onClose }: Props) => {
  const [layer, setLayer] = useState(begun)
  const [texts, setTexts] = useState({ title: '', summary: '' })
  const [claims, setClaims] = useState(NOTHING)
  const [solutions, setSolutions] = useState(NOTHING)
  const title = texts.title.trim()
  const adding = useDecisionChange('change_strategy', { doneMessage: `${named({ title })} is added.`, onDone: onClose })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={`Add ${LAYERS[layer].one}`}
      action="Add it"
      statement=""
      pending={adding.isPending}
      error={adding.error}
      ready={title !== ''}
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
      <Input.Wrapper label="Layer" labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label="Layer"
          data={STRATEGY_LAYERS.map(value => ({ value, label: LAYERS[value].title }))}
          value={layer}
          onChange={chosen => setLayer(layerOf(chosen))}
        />
      </Input.Wrapper>
      <ElementTexts texts={texts} onChange={changed => setTexts({ ...texts, ...changed })} />
      <Picker type="claim" label="Claims" value={claims} onChange={setClaims} />
      <Picker type="solution" label="Solutions" value={solutions} onChange={setSolutions} />
    </DecisionDialog>
  )
}
