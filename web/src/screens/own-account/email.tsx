import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAccountChange } from '../../api/own-account.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { Section } from '../workspace/section.tsx'
import { PasswordField } from './password-field.tsx'

/** The service says the same of an address that is taken; what counts is the address that is shown. */
export const Email = ({ email }: { readonly email: string }) => {
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')
  const changing = useAccountChange<{ newEmail: string; password: string }>('change-email', {
    onSuccess: () => setPassword(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!changing.isPending) changing.mutate({ newEmail, password })
  }
  return (
    <Section
      title="E-mail"
      about={
        <>
          You sign in with <bdi>{email}</bdi>. No mail is sent to it, so write a new one carefully.
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <TextInput
            label="New e-mail"
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            value={newEmail}
            onChange={event => setNewEmail(event.currentTarget.value)}
            w={360}
            maw="100%"
          />
          <PasswordField label="Your password, to change the e-mail" value={password} onChange={setPassword} />
          <Button type="submit" variant="default" loading={changing.isPending}>
            Change e-mail
          </Button>
        </Stack>
      </form>
      {changing.error !== null && <ErrorState error={changing.error} title="Your e-mail was not changed" />}
      {changing.isSuccess && <Outcome email={email} wanted={changing.variables.newEmail} />}
    </Section>
  )
}

const Outcome = ({ email, wanted }: { readonly email: string; readonly wanted: string }) => (
  <Alert mt="sm" variant="light" role="status" color={email === wanted.toLowerCase() ? 'green' : 'yellow'}>
    {email === wanted.toLowerCase() ? (
      <>
        From now on you sign in with <bdi>{email}</bdi>.
      </>
    ) : (
      <>
        This address cannot be used. You still sign in with <bdi>{email}</bdi>.
      </>
    )}
  </Alert>
)
