import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { boost, priority } from './figures.ts'
import { useDecisionChange } from './use-decision-change.ts'

interface Boosted {
  readonly reference: string
  readonly priority_boost: number
  readonly evidence_priority: number
  readonly version?: number
}

interface Props {
  readonly of: Boosted
  readonly onClose: () => void
}

/** Sets what multiplies the evidence of a Solution. */
export const BoostDialog = ({ of: solution, onClose }: Props) => {
  const { reference, priority_boost, evidence_priority, version } = solution
  const [value, setValue] = useState<number | string>(priority_boost)
  const boosting = useDecisionChange('prioritize_solution', {
    doneMessage: `${reference} is boosted.`,
    onDone: onClose,
  })
  const wanted = Number(value)
  const isWithin = value !== '' && wanted >= 0.1 && wanted <= 10
  return (
    <DecisionDialog
      opened
      title={`Boost ${reference}`}
      action="Set boost"
      statement=""
      change={boosting}
      missing={isWithin && wanted !== priority_boost ? null : 'another boost, from 0.1 to 10'}
      onClose={onClose}
      onDecide={grounds =>
        boosting.decide({
          solution_id: reference,
          priority_boost: wanted,
          ...(version !== undefined && { version }),
          ...grounds,
        })
      }
    >
      <NumberInput
        label="Boost"
        description="Multiplies the evidence: from 0.1 to 10, 1 changes nothing."
        data-autofocus
        min={0.1}
        max={10}
        step={0.5}
        decimalScale={2}
        w={220}
        value={value}
        onChange={setValue}
        error={isWithin ? null : 'From 0.1 to 10'}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
      />
      {isWithin && (
        <output>
          Evidence {priority(evidence_priority)} {boost(wanted)} is a score of{' '}
          <b>{priority(evidence_priority * wanted)}</b>.
        </output>
      )}
    </DecisionDialog>
  )
}
