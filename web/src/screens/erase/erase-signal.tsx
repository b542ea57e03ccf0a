import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'
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
