import { Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { MAX_CHARACTERS, MAX_REPLAYED_PER_SECOND } from '../../../../../schemas/domain/limits.ts'
import { STEPS } from '../../../../../schemas/domain/vocabulary.ts'
import { type Input, type Output, useChange, useOperation } from '../../../api/operations.ts'
import { counted, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { ChangeDialog, ChangeForm, ChangeModal } from '../../../parts/change-dialog.tsx'
import { NumberField } from '../../../parts/controls.tsx'
import { LimitedTextarea } from '../../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../../parts/forms/use-form.ts'
import { LiveStatus } from '../../../parts/live-status.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { notifyDone } from '../../../shell/notify.tsx'

export type DeadLetter = Output<'inspect_pipeline'>['items'][number]
export type DeadLetterGroup = Output<'inspect_pipeline'>['groups'][number]
export type DeadLetterState = DeadLetter['state']

/** Which letters something is done about, in the fields of both operations that do something. */
export type Selection = Pick<Input<'replay_dead_letters'>, 'signal_id' | 'step' | 'fault' | 'error_class' | 'all'>

// The step of a letter or group is one of the vocabulary, which the operation’s answer does not repeat.
const stepOf = ({ step }: { readonly step: string }) => step as NonNullable<Selection['step']>

export const selectionOfGroup = (group: DeadLetterGroup): Selection => ({
  step: stepOf(group),
  fault: group.fault,
  error_class: group.error_class,
})

export const selectionOfDeadLetter = ({
  signal_id,
  ...deadLetter
}: Pick<DeadLetter, 'signal_id' | 'step'>): Selection => ({
  signal_id,
  step: stepOf(deadLetter),
})

export const FAULT_LABELS: Readonly<Record<DeadLetterGroup['fault'], string>> = {
  sender: t('the sender’s'),
  ours: t('ours'),
  too_costly: t('too costly'),
  transient: t('transient'),
  automatic: t('automatic mail'),
}

/** What somebody is about to do, and about which letters. */
export interface OpenDialog {
  readonly what: 'replay' | 'discard'
  readonly selection: Selection
  /** The letters in words: `14 letters at embed`. */
  readonly about: string
}

const PER_SECOND = 50

interface Props {
  readonly of: OpenDialog
  readonly onClose: () => void
}

/** Counts what a replay would send and from where it can begin, and starts it. */
export const ReplayDeadLetters = ({ of: { selection, about }, onClose }: Props) => {
  const navigate = useNavigate()
  const [fromStep, setFromStep] = useState<string | null>(null)
  const [perSecond, setPerSecond] = useState<number | string>(PER_SECOND)
  const { data, error, refetch } = useOperation('replay_dead_letters', { ...selection, dry_run: true })
  const replaying = useChange('replay_dead_letters', {
    invalidates: ['inspect_pipeline', 'list_jobs', 'inspect_dead_letter'],
    onSuccess: ({ dead_letters }) =>
      notifyDone(t('A job replays {deadLetters}.', { deadLetters: counted(dead_letters, 'dead letter') })),
    goOn: () => navigate('/app/pipeline/jobs'),
  })
  const groups = data?.groups ?? []
  const steps = STEPS.filter(step => groups.some(({ from_steps }) => from_steps.includes(step)))
  const from = STEPS.find(step => step === fromStep)
  const able = from === undefined ? groups : groups.filter(({ from_steps }) => from_steps.includes(from))
  const replayable = able.reduce((sum, group) => sum + group.dead_letters, 0)
  const replay = () =>
    replaying.mutate({ ...selection, ...(from !== undefined && { from_step: from }), per_second: Number(perSecond) })
  return (
    <ChangeModal opened onClose={onClose} title={t('Replay dead letters')} size="lg" change={replaying} form={null}>
      <Text size="sm" c="dimmed" mb="md" style={{ overflowWrap: 'anywhere' }}>
        {about}
      </Text>
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <ChangeForm
          action={t('Replay {deadLetters}', { deadLetters: counted(replayable, 'dead letter') })}
          change={replaying}
          form={null}
          failed={t('That did not work')}
          missing={
            replayable === 0 ? t('dead letters that can begin there') : Number(perSecond) < 1 ? t('a rate') : null
          }
          onSubmit={replay}
          onCancel={onClose}
        >
          <LiveStatus>
            <Text size="sm">
              {rich(
                '{deadLetters} would go through the pipeline again.{more} Nothing is counted twice, and what fails again comes back here.',
                {
                  deadLetters: counted(replayable, 'dead letter'),
                  more:
                    replayable < data.dead_letters &&
                    ` ${t('{deadLetters} cannot begin at {from}: their records lack what it needs.', { deadLetters: counted(data.dead_letters - replayable, 'dead letter'), from: word(from ?? '') })}`,
                },
              )}
            </Text>
          </LiveStatus>
          <Group gap="md" align="flex-start" grow>
            <Select
              // It comes when the dialog has the focus already.
              autoFocus
              label={t('Start at step')}
              description={t('The earlier the step, the more is done again.')}
              placeholder={t('At the failed step')}
              clearable
              data={steps}
              value={fromStep}
              onChange={setFromStep}
            />
            <NumberField
              label={t('Rate limit, per second')}
              description={t('So that new signals are not slowed down.')}
              min={1}
              max={MAX_REPLAYED_PER_SECOND}
              required
              value={perSecond}
              onChange={setPerSecond}
            />
          </Group>
        </ChangeForm>
      )}
    </ChangeModal>
  )
}

interface DiscardDeadLettersProps {
  readonly of: OpenDialog
  readonly onClose: () => void
}

/** Gives letters up, for a reason that is kept as a Decision. */
export const DiscardDeadLetters = ({ of: { selection, about }, onClose }: DiscardDeadLettersProps) => {
  const form = useNewForm(`discard ${about}`, { reason: '' })
  const { reason } = form.values
  const discarding = useChange('discard_dead_letters', {
    invalidates: ['inspect_pipeline', 'inspect_dead_letter'],
    onSuccess: ({ dead_letters, decision }) => {
      notifyDone(
        t('{deadLetters} discarded ({reference}).', {
          deadLetters: counted(dead_letters, 'dead letter'),
          reference: decision.reference,
        }),
      )
    },
  })
  return (
    <ChangeDialog
      opened
      title={t('Discard dead letters?')}
      action={t('Discard')}
      danger
      change={discarding}
      form={form}
      failed={t('That did not work')}
      missing={reason.trim() === '' ? t('a reason') : null}
      onSubmit={() => discarding.mutate({ ...selection, reason })}
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {about}
      </Text>
      <Text size="sm">
        {t('They stay listed as discarded, and are never replayed. The reason is kept as a Decision of yours.')}
      </Text>
      <LimitedTextarea
        label={t('Reason for discarding')}
        autosize
        minRows={2}
        most={MAX_CHARACTERS.discard}
        value={reason}
        onChange={event => form.write({ reason: event.currentTarget.value })}
        data-autofocus
      />
    </ChangeDialog>
  )
}
