import { Button, Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/hooks.ts'
import { Copyable } from '../../../parts/copyable.tsx'
import { ErrorState } from '../../../parts/error-state.tsx'
import { Figure } from '../../../parts/figure.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { Quote } from '../../../parts/quote.tsx'
import { Reference } from '../../../parts/reference.tsx'
import { SignalTimeline } from '../../../parts/signal-timeline.tsx'
import { When } from '../../../parts/when.tsx'
import { FAULT_LABELS, type OpenDialog, type Selection, selectionOfDeadLetter } from './selection.ts'

interface Props {
  readonly signalId: string
  /** Where it died, if at several. */
  readonly step: Selection['step']
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

/** One dead letter: what it died of, its way, its payload before and after personal data was removed, and what can be done. */
export const Inspection = ({ signalId, step, canEdit, onOpenDialog, onClose }: Props) => {
  const dialog = { signal_id: signalId, ...(step !== undefined && { step }) }
  const { data, error, refetch } = useOperation('inspect_dead_letter', dialog)
  const { data: trace } = useOperation('trace_signal', { id: signalId })
  const deadLetter = data?.dead_letter
  const meant = deadLetter && {
    selection: selectionOfDeadLetter(deadLetter),
    about: `Dead letter ${signalId} at ${deadLetter.step}`,
  }
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title="Dead letter">
      {data === undefined &&
        (error === null ? <LoadingState rows={6} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && deadLetter !== undefined && (
        <>
          <Text ff="monospace" size="xs" c="dimmed" mb="sm">
            {deadLetter.signal_id}
          </Text>
          <Group gap="sm" mb="lg" wrap="wrap">
            {canEdit && meant !== undefined && deadLetter.state === 'waiting' && (
              <>
                <Button size="xs" onClick={() => onOpenDialog({ ...meant, what: 'replay' })}>
                  Replay…
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  onClick={() => onOpenDialog({ ...meant, what: 'discard' })}
                >
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
            <Figure label="Failed at step" value={deadLetter.step} about={`fault: ${FAULT_LABELS[deadLetter.fault]}`} />
            <Figure label="Attempts" value={deadLetter.attempts} />
            <Figure
              label="Times dead-lettered"
              value={deadLetter.dead_letter_count}
              about={data.replays > 0 && `replayed ${data.replays === 1 ? 'once' : `${data.replays} times`} before`}
            />
            <Figure
              label="Last failed"
              value={<When at={deadLetter.last_failed_at} />}
              about={
                deadLetter.next_redrive_at !== null && (
                  <>
                    tried again <When at={deadLetter.next_redrive_at} />
                  </>
                )
              }
            />
          </SimpleGrid>
          <Title order={3} mb="xs">
            {deadLetter.error_class}
          </Title>
          <Text size="sm" component="div" mb="lg">
            {deadLetter.message === null ? (
              <Text size="sm" c="dimmed">
                Why it died is sealed with its record.
              </Text>
            ) : (
              <Quote text={deadLetter.message} />
            )}
          </Text>
          <Payload of={data} signal={trace?.signal?.reference ?? null} />
          <Title order={3} mt="lg" mb="xs">
            Steps
          </Title>
          {trace === undefined ? <LoadingState rows={4} height={20} /> : <SignalTimeline of={trace} />}
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

type Inspected = Output<'inspect_dead_letter'>

interface PayloadProps {
  readonly of: Inspected
  /** The Signal that it became since, or that it repeats. */
  readonly signal: string | null
}

/** What of a record is shown beside it. The record is of whatever version: only these parts of it are looked for. */
interface Shown {
  readonly content?: { readonly text?: string } | null
  readonly scrubbed?: { readonly replaced?: Readonly<Record<string, number>> } | null
}

/** What was replaced in a record, in words: `2 EMAIL, 1 PHONE replaced`. */
const replacedIn = ({ scrubbed }: Shown): string => {
  const told = Object.entries(scrubbed?.replaced ?? {}).map(([kind, count]) => `${count} ${kind}`)
  return told.length === 0 ? 'no personal data was found in it' : `${told.join(', ')} replaced`
}

/** The payload before personal data was removed, which nobody sees; as the step got it; and what became of it since. */
const Payload = ({ of: { dead_letter: deadLetter, record, hidden_reason }, signal }: PayloadProps) => (
  <Stack gap="sm">
    <Title order={3}>Payload</Title>
    <Part title="As it was sent">
      <IconLock size={13} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
      {deadLetter.sealed
        ? 'Sealed: it may hold personal data. Only a replay opens it.'
        : 'Not kept: it may have held personal data, which was removed before the step.'}
    </Part>
    {record === null ? (
      <Part title={`As ${deadLetter.step} got it`}>{hidden_reason}</Part>
    ) : (
      <>
        <Part title={`As ${deadLetter.step} got it, ${replacedIn(record)}`}>
          <Quote text={(record as Shown).content?.text ?? ''} />
        </Part>
        <Copyable label="Its record" text={JSON.stringify(record, null, 2)} />
      </>
    )}
    <Part title="Since then">
      {signal === null ? (
        deadLetter.state === 'waiting' ? (
          'Nothing: it waits.'
        ) : (
          `It was ${deadLetter.state}, and is no signal.`
        )
      ) : (
        <>
          It was processed, as <Reference of={signal} />.
        </>
      )}
    </Part>
  </Stack>
)

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed">
      {title}
    </Text>
    <Text size="sm" component="div">
      {children}
    </Text>
  </div>
)
