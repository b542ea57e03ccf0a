import { Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Problem } from '../../api/http.ts'
import { t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { ErrorState } from '../../parts/states.tsx'

interface Props {
  readonly workspace: string
  /** The verb and what it is about: `Erase the person`. */
  readonly action: string
  /** What is sent, of `useChange`. */
  readonly change: { readonly isPending: boolean; readonly error: Problem | null }
  /** Why it cannot be done yet; null: only the name is missing. */
  readonly missing?: string | null
  readonly onConfirm: (name: string) => void
}

/** Asks to write out the workspace’s name, and then does what cannot be taken back. */
export const ConfirmName = ({ workspace, action, change: { isPending, error }, missing = null, onConfirm }: Props) => {
  const [written, setWritten] = useState('')
  const isWritten = written.trim() === workspace.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing === null && isWritten) onConfirm(written)
  }
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('To confirm, write “{workspace}”', { workspace })}
            value={written}
            onChange={event => setWritten(event.currentTarget.value)}
            autoComplete="off"
            flex={1}
            miw={200}
          />
          <TellingButton
            type="submit"
            variant="light"
            color="red"
            loading={isPending}
            missing={missing ?? (isWritten ? null : t('Write the name of the workspace first.'))}
          >
            {action}
          </TellingButton>
        </Group>
      </form>
      {error !== null && <ErrorState error={error} title={t('Nothing was erased')} />}
    </Stack>
  )
}
