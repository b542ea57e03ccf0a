import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Output } from '../../api/client.ts'
import { counted, percent } from '../../parts/counted.ts'
import { SourceLink } from '../../parts/source-link.tsx'
import { When } from '../../parts/when.tsx'
import classes from './signal-facts.module.css'

export type Signal = NonNullable<Output<'lookup_signal'>['signal']>

interface Props {
  readonly signal: Signal
}

/** Everything that is known of a signal beside its text. */
export const SignalFacts = ({ signal }: Props) => (
  <dl className={classes.facts}>
    <Fact label="Map node">
      {signal.node === null ? 'no node is near' : <bdi>{signal.node.name}</bdi>}
      {signal.node !== null && <Text span inherit c="dimmed">{`, near by ${percent(signal.node.score)}`}</Text>}
    </Fact>
    <Fact label="Source">{signal.source === null ? '–' : <bdi>{signal.source}</bdi>}</Fact>
    <Fact label="Link">{signal.source_url === null ? '–' : <SourceLink address={signal.source_url} />}</Fact>
    <Fact label="Sender">
      {signal.actor_name === null ? 'not named' : <bdi>{signal.actor_name}</bdi>}
      <Text span inherit c="dimmed">{`, ${signal.actor_role}`}</Text>
    </Fact>
    <Fact label="Origin">{signal.signal_origin}</Fact>
    <Fact label="Channel">
      {signal.channel}
      {signal.event !== null && (
        <>
          , <bdi>{signal.event}</bdi>
        </>
      )}
    </Fact>
    <Fact label="Repeated">{signal.occurrences === 0 ? 'never' : counted(signal.occurrences, 'time')}</Fact>
    <Fact label="Happened">
      <When at={signal.occurred_at} />
    </Fact>
    <Fact label="Received">
      <When at={signal.received_at} />
    </Fact>
    {signal.metadata !== undefined && Object.keys(signal.metadata).length > 0 && (
      <Fact label="Metadata">
        <Code block className={classes.metadata} tabIndex={0} aria-label="Metadata">
          {JSON.stringify(signal.metadata, null, 2)}
        </Code>
      </Fact>
    )}
  </dl>
)

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className={classes.value}>
      {children}
    </Text>
  </>
)
