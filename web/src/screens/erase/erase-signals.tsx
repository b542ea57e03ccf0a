import { Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Section } from '../../parts/section.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ConfirmName } from './confirm-name.tsx'

interface Props {
  readonly workspace: string
}

/** One Signal, with all that hangs on it. */
export const EraseSignal = ({ workspace }: Props) => {
  const [id, setId] = useState('')
  const erasing = useChange('erase_signal', {
    invalidates: ['list_erasures'],
    onSuccess: () => {
      setId('')
      notifyDone(t('The erasure has begun. You can leave this page.'))
    },
  })
  return (
    <Section
      title={t('A Signal')}
      about={t('It goes with its comments, evidence and history. A repeat that somebody else sent takes its place.')}
    >
      <Stack gap="md">
        <TextInput
          label={t('Signal')}
          placeholder="SIG-7"
          value={id}
          onChange={event => setId(event.currentTarget.value)}
          autoComplete="off"
        />
        {id.trim() !== '' && (
          <ConfirmName
            workspace={workspace}
            action={t('Erase the Signal')}
            missing={null}
            isPending={erasing.isPending}
            error={erasing.error}
            onConfirm={confirm => erasing.mutate({ id: id.trim(), confirm })}
          />
        )}
      </Stack>
    </Section>
  )
}

interface EraseSourceProps {
  readonly workspace: string
}

/** A source with every Signal that came through it. */
export const EraseSource = ({ workspace }: EraseSourceProps) => {
  const [id, setId] = useState<string | null>(null)
  const { data } = useOperation('list_sources', {})
  const erasing = useChange('erase_source', {
    invalidates: ['list_erasures', 'list_sources'],
    onSuccess: () => {
      setId(null)
      notifyDone(t('The source is closed, and its Signals are being erased.'))
    },
  })
  const sources = (data?.items ?? []).filter(({ kind }) => kind !== 'metric')
  return (
    <Section
      title={t('A source with its Signals')}
      about={t('Its address is closed for good, and every Signal and repeat that came through it goes.')}
    >
      <Stack gap="md">
        <Select
          label={t('Source')}
          placeholder={t('Choose a source')}
          data={sources.map(source => ({ value: source.id, label: source.name }))}
          value={id}
          onChange={setId}
          clearable
        />
        {id !== null && (
          <ConfirmName
            workspace={workspace}
            action={t('Erase the source')}
            missing={null}
            isPending={erasing.isPending}
            error={erasing.error}
            onConfirm={confirm => erasing.mutate({ id, confirm })}
          />
        )}
      </Stack>
    </Section>
  )
}
