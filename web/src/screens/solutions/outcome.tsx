import { Badge, Button, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { OUTCOME_VERDICTS, type OutcomeVerdict } from '../../../../schemas/domain/vocabulary.ts'
import { type Output, useCanEdit, useOperation } from '../../api/operations.ts'
import { language, t, word, wordChoices } from '../../language/messages.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import classes from './solution.module.css'
import { ByLine, Section } from './solution-parts.tsx'
import { useDecisionChange } from './use-decision-change.ts'

const COLORS: Readonly<Record<OutcomeVerdict, string>> = {
  met: 'teal',
  partly: 'yellow',
  missed: 'red',
  unclear: 'gray',
}

interface Props {
  readonly solution: { readonly reference: string }
  readonly recorded: boolean
}

/** What came of a Done Solution. */
export const Outcome = ({ solution: { reference }, recorded }: Props) => {
  const [dialog, setDialog] = useState(false)
  const canEdit = useCanEdit()
  const { data, error, refetch } = useOperation(
    'lookup_outcome',
    { id: reference, depth: 'full' },
    { enabled: recorded },
  )
  const outcome = data?.outcome ?? null
  const label = recorded ? t('Revise') : t('Record the Outcome')
  return (
    <Section title={t('Outcome')} action={canEdit && recorded ? { label, run: () => setDialog(true) } : null}>
      {!recorded && (
        <Group gap="md">
          <Text size="sm" c="dimmed">
            {t('It is Done, and nobody has recorded what came of it.')}
          </Text>
          {canEdit && (
            <Button size="xs" onClick={() => setDialog(true)}>
              {label}
            </Button>
          )}
        </Group>
      )}
      {recorded && outcome === null && error === null && <LoadingState rows={2} />}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {outcome !== null && <Recorded outcome={outcome} />}
      {/* A form begins with what there is: it waits for that. */}
      {dialog && recorded === (outcome !== null) && (
        <OutcomeDialog reference={reference} outcome={outcome} onClose={() => setDialog(false)} />
      )}
    </Section>
  )
}

const Recorded = ({ outcome }: { readonly outcome: NonNullable<Output<'lookup_outcome'>['outcome']> }) => (
  <div className="reading">
    <Badge variant="light" tt="none" color={COLORS[outcome.verdict]} mb="sm">
      {word(outcome.verdict)}
    </Badge>
    <dl className={classes.outcome}>
      <dt>{t('Expected')}</dt>
      <dd>
        <Quote text={outcome.expectation} />
      </dd>
      <dt>{t('Observed')}</dt>
      <dd>
        <Quote text={outcome.observation} />
      </dd>
      {outcome.points.length > 0 && <dt>{t('Metrics')}</dt>}
      {outcome.points.map(({ metric_id, metric, value, occurred_at }) => (
        <dd key={`${metric_id} ${occurred_at}`}>
          <bdi>{metric}</bdi> <b>{value.toLocaleString(language)}</b> <When at={occurred_at} />
        </dd>
      ))}
    </dl>
    <Text size="xs" c="dimmed" component="div" className={classes.about}>
      <Reference of={outcome.decision} />
      <ByLine name={outcome.author_name} label={outcome.key_label} />
      <When at={outcome.updated_at} />
      <span>{t('version {version}', { version: outcome.version })}</span>
    </Text>
  </div>
)

interface OutcomeDialogProps {
  readonly reference: string
  /** Null: it is the first. */
  readonly outcome: Output<'lookup_outcome'>['outcome']
  readonly onClose: () => void
}

interface Written extends FormValues {
  readonly expectation: string
  readonly observation: string
  readonly verdict: OutcomeVerdict
  /** The metric that shows it, and its day: added to those that it has. */
  readonly metric: string | null
  readonly date: string
}

/** Records what was expected of a Done Solution, what was observed, and whether that meets it. */
const OutcomeDialog = ({ reference, outcome, onClose }: OutcomeDialogProps) => {
  const form = useForm<Written>({
    name: `outcome of ${reference}`,
    labels: {
      expectation: t('Expected'),
      observation: t('Observed'),
      verdict: t('Verdict'),
      metric: t('Metric that shows it'),
      date: t('On the day'),
    },
    now: {
      version: outcome?.version,
      values: {
        expectation: outcome?.expectation ?? '',
        observation: outcome?.observation ?? '',
        verdict: outcome?.verdict ?? 'met',
        metric: null,
        date: '',
      },
    },
    words: (field, value) => (field === 'verdict' ? word(value as OutcomeVerdict) : String(value)),
  })
  const { expectation, observation, verdict, metric, date } = form.values
  const metrics = useOperation('list_sources', {}).data?.items.filter(({ kind }) => kind === 'metric') ?? []
  const recording = useDecisionChange('record_outcome', {
    doneMessage: t('The Outcome of {reference} is recorded.', { reference }),
    reversible: false,
    onDone: onClose,
  })
  const kept = outcome?.points.map(({ metric_id, occurred_at }) => ({ metric_id, date: occurred_at })) ?? []
  const points = [...kept, ...(metric !== null && date !== '' ? [{ metric_id: metric, date }] : [])]
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Outcome of {reference}', { reference })}
      action={outcome === null ? t('Record it') : t('Revise it')}
      statement={statement('Record what came of {reference}.', { reference })}
      change={recording}
      form={form}
      missing={
        expectation.trim() === '' ? t('what was expected') : observation.trim() === '' ? t('what was observed') : null
      }
      onClose={onClose}
      onDecide={grounds =>
        recording.decide({
          solution_id: reference,
          expectation: form.whole.expectation,
          observation: form.whole.observation,
          verdict: form.whole.verdict,
          ...(points.length > 0 && { metric_points: points }),
          ...form.expected,
          ...grounds,
        })
      }
    >
      <LimitedTextarea
        label={t('Expected')}
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        most={MAX_CHARACTERS.expectation}
        value={expectation}
        onChange={event => form.write({ expectation: event.currentTarget.value })}
      />
      <LimitedTextarea
        label={t('Observed')}
        autosize
        minRows={2}
        maxRows={8}
        most={MAX_CHARACTERS.observation}
        value={observation}
        onChange={event => form.write({ observation: event.currentTarget.value })}
      />
      <SegmentedControl
        aria-label={t('Verdict')}
        value={verdict}
        onChange={value => form.write({ verdict: OUTCOME_VERDICTS.find(each => each === value) ?? 'unclear' })}
        data={wordChoices(OUTCOME_VERDICTS)}
      />
      {metrics.length > 0 && (
        <Group gap="sm" align="flex-end">
          <Select
            label={t('Metric that shows it')}
            placeholder={t('None')}
            clearable
            data={metrics.map(({ id, name }) => ({ value: id, label: name }))}
            value={metric}
            onChange={value => form.write({ metric: value })}
          />
          <TextInput
            label={t('On the day')}
            type="date"
            value={date}
            onChange={event => form.write({ date: event.currentTarget.value })}
          />
        </Group>
      )}
    </DecisionDialog>
  )
}
