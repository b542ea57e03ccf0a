import { Text } from '@mantine/core'
import { useRef } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import type { CallOnce, Input } from '../../api/operations.ts'
import { plural, t } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { clip } from '../../parts/formats.ts'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedInput, LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { Picker } from '../../parts/picker.tsx'
import type { BegunClaim, BegunSignal } from '../../shell/begun.ts'
import { useDecisionChange } from './use-decision-change.ts'
import { ANSWERED } from './words.ts'

interface Props {
  /** The claims that it is begun from. */
  readonly claims: readonly BegunClaim[]
  /** Signals without a claim that it is begun from. */
  readonly signals?: readonly BegunSignal[]
  readonly onCreated: (reference: string) => void
  readonly onClose: () => void
}

const NAMED = 80

interface Written extends FormValues {
  readonly title: string
  readonly summary: string
  readonly claims: readonly string[]
}

/** Puts a new Solution on the Backlog, answering the claims chosen. */
export const CreateSolution = ({ claims: begun, signals = [], onCreated, onClose }: Props) => {
  const from = [...begun, ...signals].map(({ reference }) => reference)
  const form = useNewForm<Written>(['new Solution', ...from].join(' '), {
    title: clip(begun[0]?.title ?? signals[0]?.text ?? '', MAX_CHARACTERS.title),
    summary: '',
    claims: begun.map(({ reference }) => reference),
  })
  const { title, summary, claims } = form.values
  const creating = useDecisionChange('create_solution', {
    doneMessage: ({ solution: { reference } }) => t('{reference} is in the Backlog.', { reference }),
    prepare: useStartedClaim(signals),
    draft: form.name,
    goOn: ({ solution }) => onCreated(solution.reference),
  })
  const named = Object.fromEntries(
    begun.map(({ reference, title }) => [reference, `${reference} ${clip(title, NAMED)}`]),
  )
  const because = [...claims, ...signals.map(({ reference }) => reference)].join(', ')
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('New Solution')}
      action={t('Create Solution')}
      statement={
        begun.length + signals.length === 0 || because === ''
          ? null
          : statement('To be built, for {because}.', { because })
      }
      change={creating}
      form={form}
      missing={title.trim() === '' ? t('a title') : null}
      onClose={onClose}
      onDecide={grounds =>
        creating.decide({
          title: title.trim(),
          ...(summary.trim() !== '' && { summary }),
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...grounds,
        })
      }
    >
      <LimitedInput
        label={t('Title')}
        data-autofocus
        required
        withAsterisk={false}
        most={MAX_CHARACTERS.title}
        value={title}
        onChange={event => form.write({ title: event.currentTarget.value })}
        // What stands there says what is wrong; whoever knows what to build writes over it.
        onFocus={event => event.currentTarget.select()}
      />
      {signals.length > 0 && (
        <Text size="sm" c="dimmed">
          {plural(
            signals.length,
            '{references} has no claim yet. A new one is made of it, which the Solution answers.',
            '{references} have no claim yet. A new one is made of them, which the Solution answers.',
            { references: signals.map(({ reference }) => reference).join(', ') },
          )}
        </Text>
      )}
      <Picker
        type="claim"
        label={t('Claims')}
        description={ANSWERED}
        value={claims}
        onChange={claims => form.write({ claims })}
        named={named}
      />
      <LimitedTextarea
        label={t('Summary')}
        description={t('Optional, in Markdown.')}
        autosize
        minRows={3}
        maxRows={10}
        most={MAX_CHARACTERS.solutionSummary}
        value={summary}
        onChange={event => form.write({ summary: event.currentTarget.value })}
      />
    </DecisionDialog>
  )
}

/**
 * What makes the signals evidence of a new claim before the Solution answers it: once, also when the Solution is sent
 * again after a failure.
 */
const useStartedClaim = (signals: readonly BegunSignal[]) => {
  const started = useRef<readonly string[] | null>(signals.length === 0 ? [] : null)
  return async (wanted: Input<'create_solution'>, once: CallOnce): Promise<Input<'create_solution'>> => {
    if (started.current === null) {
      const { data } = await once('triage_signals', {
        action: 'promote',
        kind: signals.every(({ classification }) => classification === 'idea') ? 'opportunity' : 'problem',
        signals: signals.map(({ reference, version }) => ({ signal_id: reference, version })),
      })
      started.current = data.claim === null ? [] : [data.claim.reference]
    }
    const claim_ids = [...(wanted.claim_ids ?? []), ...started.current]
    return claim_ids.length === 0 ? wanted : { ...wanted, claim_ids }
  }
}
