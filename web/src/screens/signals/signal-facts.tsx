import { Anchor, Code, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type Output, useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { percent } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { SignalTimeline } from '../../parts/signal-timeline.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import classes from './signals.module.css'

export type Signal = NonNullable<Output<'lookup_signal'>['signal']>

interface Props {
  readonly signal: Signal
}

/** What is known of a signal beside its text and who said it. */
export const SignalFacts = ({ signal }: Props) => (
  <dl className={classes.facts}>
    <Fact label={t('Map node')}>
      {signal.node === null ? t('no node fits') : <bdi>{signal.node.name}</bdi>}
      {signal.node !== null && (
        <Text span inherit c="dimmed">
          {t(', {score} similar', { score: percent(signal.node.score) })}
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
        <MetadataValue value={value} />
      </Fact>
    ))}
  </dl>
)

/** A value of the sender’s own. */
const MetadataValue = ({ value }: { readonly value: unknown }) =>
  typeof value === 'object' && value !== null ? (
    <Code block className={classes.nested}>
      {JSON.stringify(value, null, 2)}
    </Code>
  ) : (
    <bdi>{String(value)}</bdi>
  )

const Fact = ({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) => (
  <>
    <Text component="dt" size="sm" c="dimmed" className="anywhere">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className="anywhere">
      {children}
    </Text>
  </>
)

interface SignalWayProps {
  /** Of the signal, on its way too. */
  readonly id: string
  /** Where it stands, in a few words. */
  readonly stands: string
  readonly receivedAt: string | undefined
}

/** Where a signal stands in the pipeline, in one line; its whole way, read when somebody unfolds it. */
export const SignalWay = ({ id, stands, receivedAt }: SignalWayProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <details className={classes.way ?? ''} onToggle={event => setOpened(event.currentTarget.open)}>
      <summary>
        <h2>{t('Pipeline')}</h2>
        <Text span size="sm" c="dimmed">
          {stands}
          {receivedAt !== undefined && <>{rich(', received {when}', { when: <When at={receivedAt} /> })}</>}
        </Text>
      </summary>
      {opened && <Steps id={id} />}
    </details>
  )
}

const Steps = ({ id }: Pick<SignalWayProps, 'id'>) => {
  const { data, error, refetch } = useOperation('trace_signal', { id })
  if (data === undefined)
    return error === null ? <LoadingState rows={9} height={24} /> : <ErrorState error={error} retry={refetch} />
  if (data.steps.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('There is no activity to show: it is not recorded yet, or it is too old to be kept.')}
      </Text>
    )
  }
  return (
    <>
      <SignalTimeline of={data} />
      <Anchor
        component={Link}
        to={`/app/pipeline/signal?id=${encodeURIComponent(id)}`}
        size="sm"
        mt="sm"
        display="block"
      >
        {t('Open it in Pipeline')}
      </Anchor>
    </>
  )
}
