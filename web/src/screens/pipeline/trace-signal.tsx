import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconRouteSquare2 } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { toPeople } from '../../api/http.ts'
import { useOperation } from '../../api/operations.ts'
import { t, word } from '../../language/messages.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { Reference } from '../../parts/inline.tsx'
import { SignalTimeline } from '../../parts/signal-timeline.tsx'
import type { Trace } from '../../parts/signal-timeline-rows.ts'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'

const DEFAULTS = { id: '' }
const ON_ITS_WAY_MS = 1500

/** Asks for a signal and shows its way; one that is still on it is followed. */
export const TraceSignal = () => {
  const [{ id }, change] = useUrlState(DEFAULTS)
  const [written, setWritten] = useState(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({ id: written.trim() })
  }
  return (
    <>
      <search>
        <form onSubmit={submit}>
          <Group gap="sm" align="flex-end" mb="lg">
            <LimitedInput
              label={t('Signal')}
              description={t('Its reference, or the snippet_id that the sender got in the answer.')}
              placeholder="SIG-7"
              w={{ base: '100%', xs: 380 }}
              required
              most={MAX_CHARACTERS.identifier}
              value={written}
              onChange={event => setWritten(event.currentTarget.value)}
            />
            <Button type="submit">{t('Trace')}</Button>
          </Group>
        </form>
      </search>
      {id === '' ? (
        <EmptyState icon={IconRouteSquare2} title={t('Find a signal')}>
          {t(
            'When each signal was received, every step that worked on it, with attempts, times and versions, and what became of it.',
          )}
        </EmptyState>
      ) : (
        <Traced id={id} />
      )}
    </>
  )
}

const Traced = ({ id }: { readonly id: string }) => {
  const [follows, setFollows] = useState(false)
  const { data, error, refetch } = useOperation('trace_signal', { id }, { refresh_ms: follows ? ON_ITS_WAY_MS : false })
  const onItsWay = data?.status === 'in_pipeline'
  if (data !== undefined && onItsWay !== follows) setFollows(onItsWay)
  if (data === undefined) {
    return error === null ? <LoadingState rows={9} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <>
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {data.status === 'inserted' ? t('It is') : <bdi>{toPeople(data.message)}</bdi>}{' '}
        {data.signal !== null && <Reference of={data.signal.reference} />}
      </Text>
      <SignalTimeline of={data} />
      <DeadLetters of={data.dead_letters} />
    </>
  )
}

const DeadLetters = ({ of: deadLetters }: { readonly of: Trace['dead_letters'] }) =>
  deadLetters.length > 0 && (
    <Text size="sm" mt="md">
      {t('Dead letters:')}{' '}
      {deadLetters.map(({ signal_id, step, state }, place) => (
        <span key={step}>
          {place > 0 && ', '}
          <Anchor
            component={Link}
            size="sm"
            to={`/app/pipeline/dead-letters?dead_letter_state=${state}&dead_letter=${signal_id}&at=${step}`}
          >
            {t('at {step} ({state})', { step: word(step), state: word(state) })}
          </Anchor>
        </span>
      ))}
    </Text>
  )
