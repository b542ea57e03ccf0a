import { SegmentedControl, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { BOOST, MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { HANDOFF_KINDS, type HandoffKind } from '../../../../schemas/domain/vocabulary.ts'
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
  const isWithin = value !== '' && wanted >= BOOST.min && wanted <= BOOST.max
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
        min={BOOST.min}
        max={BOOST.max}
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

export const HANDOFF_NAMES: Readonly<Record<HandoffKind, string>> = {
  design: t('Design'),
  pull_request: t('Pull request'),
}

interface HandOffDialogProps {
  readonly solution: { readonly reference: string; readonly version: number }
  /** A pull request that names the Solution, which this confirms. */
  readonly url?: string | undefined
  readonly onClose: () => void
}

/** Connects a design or a pull request, which moves a Solution to In Review. */
export const HandOffDialog = ({ solution: { reference, version }, url: proposed, onClose }: HandOffDialogProps) => {
  const [kind, setKind] = useState<HandoffKind>(proposed === undefined ? 'design' : 'pull_request')
  const [url, setUrl] = useState(proposed ?? '')
  const handing = useDecisionChange('hand_off_solution', {
    doneMessage: t('{reference} is handed off.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Hand {reference} off', { reference })}
      action={t('Hand off')}
      statement={t('Hand {reference} off for review.', { reference })}
      change={handing}
      missing={url.trim() === '' ? t('an address') : null}
      onClose={onClose}
      onDecide={grounds => handing.decide({ solution_id: reference, kind, url: url.trim(), version, ...grounds })}
    >
      <Text size="sm">
        {t('With a design or a pull request it is In Review. A merge never makes it Done: a person does.')}
      </Text>
      <SegmentedControl
        aria-label={t('What is handed off')}
        value={kind}
        onChange={value => setKind(HANDOFF_KINDS.find(each => each === value) ?? 'design')}
        data={HANDOFF_KINDS.map(value => ({ value, label: HANDOFF_NAMES[value] }))}
      />
      <TextInput
        label={t('Address')}
        type="url"
        placeholder="https://"
        data-autofocus
        maxLength={MAX_CHARACTERS.url}
        value={url}
        onChange={event => setUrl(event.currentTarget.value)}
      />
    </DecisionDialog>
  )
}
