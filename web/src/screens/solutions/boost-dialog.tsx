import { useState } from 'react'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { NumberField } from '../../parts/controls.tsx'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { boost, priority } from '../../parts/formats.ts'
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
    doneMessage: t('{reference} is boosted.', { reference }),
    onDone: onClose,
  })
  const wanted = Number(value)
  const isWithin = value !== '' && wanted >= 0.1 && wanted <= 10
  return (
    <DecisionDialog
      opened
      title={t('Boost {reference}', { reference })}
      action={t('Set boost')}
      statement=""
      change={boosting}
      missing={isWithin && wanted !== priority_boost ? null : t('another boost, from 0.1 to 10')}
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
      <NumberField
        label={t('Boost')}
        description={t('Multiplies the evidence: from 0.1 to 10, 1 changes nothing.')}
        data-autofocus
        min={0.1}
        max={10}
        w={220}
        value={value}
        onChange={setValue}
        error={isWithin ? null : t('From 0.1 to 10')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
      />
      {isWithin && (
        <output>
          {rich('Evidence {evidence_priority} {wanted} is a score of {number}.', {
            evidence_priority: priority(evidence_priority),
            wanted: boost(wanted),
            number: <b>{priority(evidence_priority * wanted)}</b>,
          })}
        </output>
      )}
    </DecisionDialog>
  )
}
