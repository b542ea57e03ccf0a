import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { post } from '../../api/post.ts'
import { forgetWorkspace } from '../../api/workspace.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { PasswordField } from './password-field.tsx'

interface Props {
  readonly email: string
  readonly onClose: () => void
}

/** Asks for the address, written out, and the password. */
export const DeleteAccount = ({ email, onClose }: Props) => {
  const [written, setWritten] = useState('')
  const [password, setPassword] = useState('')
  const deleting = useMutation({
    mutationFn: () => post('/api/auth/delete-user', { password }),
    // Nothing is asked again: there is nobody any more.
    onSuccess: () => {
      forgetWorkspace()
      location.assign('/sign-in')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!deleting.isPending && !deleting.isSuccess) deleting.mutate()
  }
  const isWritten = written.trim().toLowerCase() === email
  return (
    <Modal opened onClose={onClose} title="Delete your account?">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            This cannot be undone. Nobody can bring back what was in workspaces that were yours alone.
          </Text>
          <TextInput
            label={
              <>
                Write <bdi>{email}</bdi> to confirm
              </>
            }
            required
            withAsterisk={false}
            autoComplete="off"
            data-autofocus
            value={written}
            onChange={event => setWritten(event.currentTarget.value)}
          />
          <PasswordField label="Your password" value={password} onChange={setPassword} />
          {deleting.error !== null && <ErrorState error={deleting.error} title="Your account was not deleted" />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="red.9"
              disabled={!isWritten}
              loading={deleting.isPending || deleting.isSuccess}
            >
              Delete account
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
