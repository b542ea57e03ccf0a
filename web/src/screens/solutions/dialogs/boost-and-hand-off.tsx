import { SegmentedControl, Text } from '@mantine/core'
import { BOOST, MAX_CHARACTERS } from '../../../../../schemas/domain/limits.ts'
import { HANDOFF_KINDS, type HandoffKind } from '../../../../../schemas/domain/vocabulary.ts'
import { t } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { statement } from '../../../language/statements.ts'
import { NumberField } from '../../../parts/controls.tsx'
import { DecisionDialog } from '../../../parts/decision-dialog.tsx'
import { boost, priority } from '../../../parts/formats.ts'
import { LimitedInput } from '../../../parts/forms/limited-text.tsx'
import { useForm } from '../../../parts/forms/use-form.ts'
import { useDecisionChange } from '../use-decision-change.ts'
import { HANDOFF_NAMES } from '../words.ts'

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
  const form = useForm<{ readonly priority_boost: number | string }>({
    name: `boost ${reference}`,
    labels: { priority_boost: t('Boost') },
    now: { version, values: { priority_boost } },
  })
  const value = form.values.priority_boost
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
      statement={null}
      change={boosting}
      form={form}
      missing={isWithin && wanted !== priority_boost ? null : t('another boost, from 0.1 to 10')}
      onClose={onClose}
      onDecide={grounds =>
        boosting.decide({
          solution_id: reference,
          priority_boost: wanted,
          ...form.expected,
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
        onChange={changed => form.write({ priority_boost: changed })}
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

interface HandOffDialogProps {
  readonly solution: { readonly reference: string; readonly version: number }
  /** A pull request that names the Solution, which this confirms. */
  readonly url?: string | undefined
  readonly onClose: () => void
}

/** Connects a design or a pull request, which moves a Solution to In Review. */
export const HandOffDialog = ({ solution: { reference, version }, url: proposed, onClose }: HandOffDialogProps) => {
  const form = useForm<{ readonly kind: HandoffKind; readonly url: string }>({
    name: `hand ${reference} off`,
    labels: { kind: t('What is handed off'), url: t('Address') },
    now: { version, values: { kind: proposed === undefined ? 'design' : 'pull_request', url: proposed ?? '' } },
  })
  const { kind, url } = form.values
  const handing = useDecisionChange('hand_off_solution', {
    doneMessage: t('{reference} is handed off.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Hand {reference} off', { reference })}
      action={t('Hand off')}
      statement={statement('Hand {reference} off for review.', { reference })}
      change={handing}
      form={form}
      missing={url.trim() === '' ? t('an address') : null}
      onClose={onClose}
      onDecide={grounds =>
        handing.decide({ solution_id: reference, kind, url: url.trim(), ...form.expected, ...grounds })
      }
    >
      <Text size="sm">
        {t(
          'A design or a pull request moves it to In Review. When the pull request is merged, the Solution is not Done by itself: a person decides that.',
        )}
      </Text>
      <SegmentedControl
        aria-label={t('What is handed off')}
        value={kind}
        onChange={value => form.write({ kind: HANDOFF_KINDS.find(each => each === value) ?? 'design' })}
        data={HANDOFF_KINDS.map(value => ({ value, label: HANDOFF_NAMES[value] }))}
      />
      <LimitedInput
        label={t('Address')}
        type="url"
        placeholder="https://"
        data-autofocus
        most={MAX_CHARACTERS.url}
        value={url}
        onChange={event => form.write({ url: event.currentTarget.value })}
      />
    </DecisionDialog>
  )
}
