import { Button, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAccountChange } from '../../api/own-account.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'
import { PasswordField } from './password-field.tsx'

export const Password = () => {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const changing = useAccountChange<{ currentPassword: string; newPassword: string }>('change-password', {
    onSuccess: () => {
      setCurrent('')
      setNew('')
      notifyDone('Your password is changed, and every other session has ended.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!changing.isPending) changing.mutate({ currentPassword, newPassword })
  }
  return (
    <Section title="Password" about="A new one ends every other session. Agents’ keys go on working.">
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <PasswordField label="Current password" value={currentPassword} onChange={setCurrent} />
          <PasswordField label="New password" value={newPassword} onChange={setNew} isNew />
          <Button type="submit" variant="default" loading={changing.isPending}>
            Change password
          </Button>
        </Stack>
      </form>
      {changing.error !== null && <ErrorState error={changing.error} title="Your password was not changed" />}
    </Section>
  )
}
