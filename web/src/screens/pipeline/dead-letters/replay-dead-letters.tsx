import { Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { MAX_REPLAYED_PER_SECOND } from '../../../../../schemas/domain/limits.ts'
import { STEPS } from '../../../../../schemas/domain/vocabulary.ts'
import { useChange, useOperation } from '../../../api/hooks.ts'
import { counted, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { ChangeForm, ChangeModal } from '../../../parts/change-dialog.tsx'
import { NumberField } from '../../../parts/controls.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { notifyDone } from '../../../shell/notify.tsx'
import type { OpenDialog } from './selection.ts'

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
    onSuccess: ({ dead_letters }) => {
      notifyDone(t('A job replays {deadLetters}.', { deadLetters: counted(dead_letters, 'dead letter') }))
      navigate('/app/pipeline/jobs')
    },
  })
  const groups = data?.groups ?? []
  const steps = STEPS.filter(step => groups.some(({ from_steps }) => from_steps.includes(step)))
  const from = STEPS.find(step => step === fromStep)
  const able = from === undefined ? groups : groups.filter(({ from_steps }) => from_steps.includes(from))
  const letters = able.reduce((sum, group) => sum + group.dead_letters, 0)
  const replay = () =>
    replaying.mutate({ ...selection, ...(from !== undefined && { from_step: from }), per_second: Number(perSecond) })
  return (
    <ChangeModal opened onClose={onClose} title={t('Replay dead letters')} size="lg" change={replaying}>
      <Text size="sm" c="dimmed" mb="md" style={{ overflowWrap: 'anywhere' }}>
        {about}
      </Text>
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <ChangeForm
          action={t('Replay {deadLetters}', { deadLetters: counted(letters, 'dead letter') })}
          change={replaying}
          failed={t('That did not work')}
          missing={letters === 0 ? t('dead letters that can begin there') : Number(perSecond) < 1 ? t('a rate') : null}
          onSubmit={replay}
          onCancel={onClose}
        >
          <Text size="sm" role="status">
            {rich(
              '{deadLetters} would go through the pipeline again.{more} Nothing is counted twice, and what dies again comes back here.',
              {
                deadLetters: counted(letters, 'dead letter'),
                more:
                  letters < data.dead_letters &&
                  ` ${t('{deadLetters} cannot begin at {from}: their records lack what it needs.', { deadLetters: counted(data.dead_letters - letters, 'dead letter'), from: word(from ?? '') })}`,
              },
            )}
          </Text>
          <Group gap="md" align="flex-start" grow>
            <Select
              label={t('Start at step')}
              description={t('Earlier repeats more of the way.')}
              placeholder={t('At the failed step')}
              clearable
              data={steps}
              value={fromStep}
              onChange={setFromStep}
            />
            <NumberField
              label={t('Rate limit, per second')}
              description={t('So that live signals keep their room.')}
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
