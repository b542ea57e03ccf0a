import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { OutcomeVerdict } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/client.ts'
import { useOperation } from '../../api/hooks.ts'
import { useCanEdit } from '../../api/use-role.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import { ByLine } from './by-line.tsx'
import { OutcomeDialog } from './outcome-dialog.tsx'
import { Section } from './section.tsx'
import classes from './solution.module.css'

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
  const label = recorded ? 'Revise' : 'Record the Outcome'
  return (
    <Section title="Outcome" action={canEdit && recorded ? { label, run: () => setDialog(true) } : null}>
      {!recorded && (
        <Group gap="md">
          <Text size="sm" c="dimmed">
            It is Done, and nobody has recorded what came of it.
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
      {dialog && <OutcomeDialog reference={reference} outcome={outcome} onClose={() => setDialog(false)} />}
    </Section>
  )
}

const Recorded = ({ outcome }: { readonly outcome: NonNullable<Output<'lookup_outcome'>['outcome']> }) => (
  <div className="reading">
    <Badge variant="light" tt="none" color={COLORS[outcome.verdict]} mb="sm">
      {outcome.verdict}
    </Badge>
    <dl className={classes.outcome}>
      <dt>Expected</dt>
      <dd>
        <Quote text={outcome.expectation} />
      </dd>
      <dt>Observed</dt>
      <dd>
        <Quote text={outcome.observation} />
      </dd>
      {outcome.points.length > 0 && <dt>Metrics</dt>}
      {outcome.points.map(({ metric_id, metric, value, occurred_at }) => (
        <dd key={`${metric_id} ${occurred_at}`}>
          <bdi>{metric}</bdi> <b>{value.toLocaleString('en')}</b> <When at={occurred_at} />
        </dd>
      ))}
    </dl>
    <Text size="xs" c="dimmed" component="div" className={classes.about}>
      <Reference of={outcome.decision} />
      <ByLine name={outcome.author_name} label={outcome.key_label} />
      <When at={outcome.updated_at} />
      <span>version {outcome.version}</span>
    </Text>
  </div>
)
