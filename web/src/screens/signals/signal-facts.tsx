import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Output } from '../../api/client.ts'
import { t, word } from '../../language/messages.ts'
import { percent } from '../../parts/numbers.ts'
import { When } from '../../parts/when.tsx'
import classes from './signals.module.css'

export type Signal = NonNullable<Output<'lookup_signal'>['signal']>

interface Props {
  readonly signal: Signal
}

/** What is known of a signal beside its text and who said it. */
export const SignalFacts = ({ signal }: Props) => (
  <dl className={classes.facts}>
    <Fact label={t('Map node')}>
      {signal.node === null ? t('no node is near') : <bdi>{signal.node.name}</bdi>}
      {signal.node !== null && (
        <Text span inherit c="dimmed">
          {t(', {score} alike', { score: percent(signal.node.score) })}
        </Text>
      )}
    </Fact>
    <Fact label={t('Origin')}>{word(signal.signal_origin)}</Fact>
    <Fact label={t('Channel')}>
      {word(signal.channel)}
      {signal.event !== null && (
        <>
          , <bdi>{signal.event}</bdi>
        </>
      )}
    </Fact>
    <Fact label={t('Happened')}>
      <When at={signal.occurred_at} received={signal.received_at} />
    </Fact>
    <Fact label={t('Came in')}>
      <When at={signal.received_at} />
    </Fact>
    {Object.entries(signal.metadata ?? {}).map(([key, value]) => (
      <Fact key={key} label={<bdi>{key}</bdi>}>
        <Told value={value} />
      </Fact>
    ))}
  </dl>
)

/** A value of the sender’s own. */
const Told = ({ value }: { readonly value: unknown }) =>
  typeof value === 'object' && value !== null ? (
    <Code block className={classes.nested}>
      {JSON.stringify(value, null, 2)}
    </Code>
  ) : (
    <bdi>{String(value)}</bdi>
  )

const Fact = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <>
    <Text component="dt" size="sm" c="dimmed" className={classes.value ?? ''}>
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className={classes.value}>
      {children}
    </Text>
  </>
)
