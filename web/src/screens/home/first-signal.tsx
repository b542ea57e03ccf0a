import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Output } from '../../api/client.ts'
import { ClassificationBadge } from '../../parts/classification-badge.tsx'
import { Quote } from '../../parts/quote.tsx'
import { Reference } from '../../parts/reference.tsx'
import { When } from '../../parts/when.tsx'
import { Step } from './step.tsx'

interface Props {
  readonly signal: Output<'orient_snapshot'>['recent_signals'][number] | undefined
  /** Whether a source is there that one may come from. */
  readonly waiting: boolean
}

export const FirstSignal = ({ signal, waiting }: Props) => (
  <Step number={3} title="See it arrive" done={signal !== undefined} current={signal !== undefined}>
    <div role="status">{signal === undefined ? <Waiting waiting={waiting} /> : <Arrived signal={signal} />}</div>
  </Step>
)

const Waiting = ({ waiting }: Pick<Props, 'waiting'>) =>
  waiting ? (
    <Group gap="sm">
      <Loader size={14} aria-hidden /> Waiting for it. This page shows it within seconds.
    </Group>
  ) : (
    'It is scrubbed of personal data, embedded, classified and compared with the others, in nine steps.'
  )

const Arrived = ({ signal }: { readonly signal: NonNullable<Props['signal']> }) => {
  return (
    <Stack gap="sm" align="flex-start">
      <Group gap="sm">
        <Reference of={signal.reference} />
        <ClassificationBadge classification={signal.classification} />
        <When at={signal.received_at} />
      </Group>
      <Text component="div" c="var(--mantine-color-text)" size="md">
        <Quote text={signal.text} />
      </Text>
      <Button component={Link} to="/app/triage">
        Go to Triage
      </Button>
    </Stack>
  )
}
