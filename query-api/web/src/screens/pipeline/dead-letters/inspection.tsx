import { Button, Drawer, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { useOperation } from '../../../api/hooks.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Figure } from '../../../parts/figure.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { Quote } from '../../../parts/quote.tsx'
import { Reference } from '../../../parts/reference.tsx'
import { SignalWay } from '../../../parts/signal-way.tsx'
import { When } from '../../../parts/when.tsx'
import { Payload } from './payload.tsx'
import { type Asked, FAULT_LABELS, ofLetter, type Selection } from './selection.ts'

interface Props {
  readonly signalId: string
  /** Where it died, if at several. */
  readonly step: Selection['step']
  readonly mayChange: boolean
  readonly onAsk: (asked: Asked) => void
  readonly onClose: () => void
}

/** One dead letter: what it died of, its way, its payload before and after personal data was removed, and what can be done. */
export const Inspection = ({ signalId, step, mayChange, onAsk, onClose }: Props) => {
  const asked = { signal_id: signalId, ...(step !== undefined && { step }) }
  const { data, error, refetch } = useOperation('inspect_dead_letter', asked)
  const { data: trace } = useOperation('trace_signal', { id: signalId })
  const letter = data?.letter
  const meant = letter && { selection: ofLetter(letter), about: `Letter ${signalId} at ${letter.step}` }
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title="Dead letter">
      {data === undefined &&
        (error === null ? <LoadingState rows={6} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && letter !== undefined && (
        <>
          <Text ff="monospace" size="xs" c="dimmed" mb="sm">
            {letter.signal_id}
          </Text>
          <Group gap="sm" mb="lg" wrap="wrap">
            {mayChange && meant !== undefined && letter.state === 'waiting' && (
              <>
                <Button size="xs" onClick={() => onAsk({ ...meant, what: 'replay' })}>
                  Replay…
                </Button>
                <Button size="xs" variant="subtle" color="red" onClick={() => onAsk({ ...meant, what: 'discard' })}>
                  Discard…
                </Button>
              </>
            )}
            {data.decision !== null && (
              <Text size="sm">
                Discarded by <Reference of={data.decision} />
              </Text>
            )}
          </Group>
          <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="md" m={0} mb="md">
            <Figure label="Died at" value={letter.step} about={`fault: ${FAULT_LABELS[letter.fault]}`} />
            <Figure label="Attempts" value={letter.attempts} />
            <Figure
              label="Deaths"
              value={letter.deaths}
              about={data.replays > 0 && `replayed ${data.replays === 1 ? 'once' : `${data.replays} times`} before`}
            />
            <Figure
              label="Last failed"
              value={<When at={letter.last_failed_at} />}
              about={
                letter.next_redrive_at !== null && (
                  <>
                    tried again <When at={letter.next_redrive_at} />
                  </>
                )
              }
            />
          </SimpleGrid>
          <Title order={3} mb="xs">
            {letter.error_class}
          </Title>
          <Text size="sm" component="div" mb="lg">
            {letter.message === null ? (
              <Text size="sm" c="dimmed">
                Why it died is sealed with its record.
              </Text>
            ) : (
              <Quote text={letter.message} />
            )}
          </Text>
          <Payload of={data} signal={trace?.signal?.reference ?? null} />
          <Title order={3} mt="lg" mb="xs">
            Its way
          </Title>
          {trace === undefined ? <LoadingState rows={4} height={20} /> : <SignalWay of={trace} />}
          {data.trace_id !== '' && (
            <Text size="xs" c="dimmed" mt="md">
              Trace {data.trace_id}
            </Text>
          )}
        </>
      )}
    </Drawer>
  )
}
