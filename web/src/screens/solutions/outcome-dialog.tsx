import { Group, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { OUTCOME_VERDICTS, type OutcomeVerdict } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useDecisionChange } from './use-decision-change.ts'

const MOST_CHARACTERS = { expectation: 1500, observation: 3000 }

interface Props {
  readonly reference: string
  /** Null: it is the first. */
  readonly outcome: Output<'lookup_outcome'>['outcome']
  readonly onClose: () => void
}

/** Records what was expected of a Done Solution, what was observed, and whether that meets it. */
export const OutcomeDialog = ({ reference, outcome, onClose }: Props) => {
  const [expectation, setExpectation] = useState(outcome?.expectation ?? '')
  const [observation, setObservation] = useState(outcome?.observation ?? '')
  const [verdict, setVerdict] = useState<OutcomeVerdict>(outcome?.verdict ?? 'met')
  const [metric, setMetric] = useState<string | null>(null)
  const [date, setDate] = useState('')
  const metrics = useOperation('list_sources', {}).data?.items.filter(({ kind }) => kind === 'metric') ?? []
  const recording = useDecisionChange('record_outcome', {
    doneMessage: `The Outcome of ${reference} is recorded.`,
    reversible: false,
    onDone: onClose,
  })
  const kept = outcome?.points.map(({ metric_id, occurred_at }) => ({ metric_id, date: occurred_at })) ?? []
  const points = [...kept, ...(metric !== null && date !== '' ? [{ metric_id: metric, date }] : [])]
  return (
    <DecisionDialog
      opened
      size="lg"
      title={`Outcome of ${reference}`}
      action={outcome === null ? 'Record it' : 'Revise it'}
      statement={`Record what came of ${reference}.`}
      pending={recording.isPending}
      error={recording.error}
      ready={expectation.trim() !== '' && observation.trim() !== ''}
      onClose={onClose}
      onDecide={grounds =>
        recording.decide({
          solution_id: reference,
          expectation,
          observation,
          verdict,
          ...(points.length > 0 && { metric_points: points }),
          ...(outcome !== null && { version: outcome.version }),
          ...grounds,
        })
      }
    >
      <Textarea
        label="Expected"
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MOST_CHARACTERS.expectation}
        value={expectation}
        onChange={event => setExpectation(event.currentTarget.value)}
      />
      <Textarea
        label="Observed"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MOST_CHARACTERS.observation}
        value={observation}
        onChange={event => setObservation(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Verdict"
        value={verdict}
        onChange={value => setVerdict(OUTCOME_VERDICTS.find(each => each === value) ?? 'unclear')}
        data={[...OUTCOME_VERDICTS]}
      />
      {metrics.length > 0 && (
        <Group gap="sm" align="flex-end">
          <Select
            label="Metric that shows it"
            placeholder="None"
            clearable
            data={metrics.map(({ id, name }) => ({ value: id, label: name }))}
            value={metric}
            onChange={setMetric}
          />
          <TextInput
            label="On the day"
            type="date"
            value={date}
            onChange={event => setDate(event.currentTarget.value)}
          />
        </Group>
      )}
    </DecisionDialog>
  )
}
