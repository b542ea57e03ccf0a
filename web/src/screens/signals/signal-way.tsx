import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useOperation } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { SignalTimeline } from '../../parts/signal-timeline.tsx'
import { When } from '../../parts/when.tsx'
import classes from './signals.module.css'

interface Props {
  /** Of the signal, on its way too. */
  readonly id: string
  /** Where it stands, in a few words. */
  readonly stands: string
  readonly receivedAt: string | undefined
}

/** Where a signal stands in the pipeline, in one line; its whole way, read when somebody unfolds it. */
export const SignalWay = ({ id, stands, receivedAt }: Props) => {
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

const Steps = ({ id }: Pick<Props, 'id'>) => {
  const { data, error, refetch } = useOperation('trace_signal', { id })
  if (data === undefined)
    return error === null ? <LoadingState rows={9} height={24} /> : <ErrorState error={error} retry={refetch} />
  if (data.steps.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Its activity is not there yet, or older than what is kept.')}
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
