import { Button, Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Output, useOperation } from '../../../api/operations.ts'
import { plural, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { unlessBeneath } from '../../../parts/beneath.ts'
import { Copyable } from '../../../parts/copyable.tsx'
import { Reference, When } from '../../../parts/inline.tsx'
import { Figure } from '../../../parts/lists.tsx'
import { Quote } from '../../../parts/quote.tsx'
import { SignalTimeline } from '../../../parts/signal-timeline.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { FAULT_LABELS, type OpenDialog, type Selection, selectionOfDeadLetter } from './dead-letter-actions.tsx'

interface Props {
  readonly signalId: string
  /** Where it died, if at several. */
  readonly step: Selection['step']
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

/**
 * One dead letter: what it died of, its way, its payload before and after personal data was removed, and what can be
 * done.
 */
export const Inspection = ({ signalId, step, canEdit, onOpenDialog, onClose }: Props) => {
  const dialog = { signal_id: signalId, ...(step !== undefined && { step }) }
  const { data, error, refetch } = useOperation('inspect_dead_letter', dialog)
  const { data: trace } = useOperation('trace_signal', { id: signalId })
  const deadLetter = data?.dead_letter
  const meant = deadLetter && {
    selection: selectionOfDeadLetter(deadLetter),
    about: t('Dead letter {signalId} at {step}', { signalId, step: word(deadLetter.step) }),
  }
  return (
    <Drawer opened onClose={unlessBeneath(onClose)} position="right" size="xl" title={t('Dead letter')}>
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
                  {t('Replay…')}
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  onClick={() => onOpenDialog({ ...meant, what: 'discard' })}
                >
                  {t('Discard…')}
                </Button>
              </>
            )}
            {data.decision !== null && (
              <Text size="sm">{rich('Discarded by {reference}', { reference: <Reference of={data.decision} /> })}</Text>
            )}
          </Group>
          <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="md" m={0} mb="md">
            <Figure
              label={t('Failed at step')}
              value={deadLetter.step}
              about={t('fault: {fault_labels}', { fault_labels: FAULT_LABELS[deadLetter.fault] })}
            />
            <Figure label={t('Attempts')} value={deadLetter.attempts} />
            <Figure
              label={t('Times dead-lettered')}
              value={deadLetter.dead_letter_count}
              about={data.replays > 0 && plural(data.replays, 'replayed once before', 'replayed {number} times before')}
            />
            <Figure
              label={t('Last failed')}
              value={<When at={deadLetter.last_failed_at} />}
              about={
                deadLetter.next_redrive_at !== null &&
                rich('tried again {when}', { when: <When at={deadLetter.next_redrive_at} /> })
              }
            />
          </SimpleGrid>
          <Title order={3} mb="xs">
            {deadLetter.error_class}
          </Title>
          <Text size="sm" component="div" mb="lg">
            {deadLetter.message === null ? (
              <Text size="sm" c="dimmed">
                {t('The reason is sealed with its record.')}
              </Text>
            ) : (
              <Quote text={deadLetter.message} />
            )}
          </Text>
          <Payload of={data} signal={trace?.signal?.reference ?? null} />
          <Title order={3} mt="lg" mb="xs">
            {t('Steps')}
          </Title>
          {trace === undefined ? <LoadingState rows={4} height={20} /> : <SignalTimeline of={trace} />}
          {data.trace_id !== '' && (
            <Text size="xs" c="dimmed" mt="md">
              {t('Trace {trace_id}', { trace_id: data.trace_id })}
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
  const replaced = Object.entries(scrubbed?.replaced ?? {}).map(([kind, count]) => `${count} ${kind}`)
  return replaced.length === 0
    ? t('no personal data was found in it')
    : t('{replaced} replaced', { replaced: replaced.join(', ') })
}

/** The payload before personal data was removed, which nobody sees; as the step got it; and what became of it since. */
const Payload = ({ of: { dead_letter: deadLetter, record, hidden_reason }, signal }: PayloadProps) => (
  <Stack gap="sm">
    <Title order={3}>{t('Payload')}</Title>
    <Part title={t('As it was sent')}>
      <IconLock size={13} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
      {deadLetter.sealed
        ? t('Sealed: it may hold personal data. Only a replay opens it.')
        : t('Not kept: it may have held personal data, which was removed before the step.')}
    </Part>
    {record === null ? (
      <Part title={t('As the step {step} received it', { step: deadLetter.step })}>{hidden_reason}</Part>
    ) : (
      <>
        <Part
          title={t('As the step {step} received it, {record}', { step: deadLetter.step, record: replacedIn(record) })}
        >
          <Quote text={(record as Shown).content?.text ?? ''} />
        </Part>
        <Copyable label={t('Its record')} text={JSON.stringify(record, null, 2)} />
      </>
    )}
    <Part title={t('Since then')}>
      {signal === null
        ? deadLetter.state === 'waiting'
          ? t('Nothing has happened. It can be replayed or discarded.')
          : t('It was {state}, and is no signal.', { state: word(deadLetter.state) })
        : rich('It was processed, as {reference}.', { reference: <Reference of={signal} /> })}
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
