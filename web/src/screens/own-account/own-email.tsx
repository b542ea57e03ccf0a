import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAccountChange, useSignInWays } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { useNewForm } from '../../parts/forms/use-form.ts'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Section } from '../../parts/page.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { PasswordField } from './two-factor.tsx'

/** The service says the same of an address that is taken; what counts is the address that is shown. */
export const Email = ({ email, isVerified }: { readonly email: string; readonly isVerified: boolean }) => {
  const byMail = useMailedLinks()
  const form = useNewForm('own e-mail', { newEmail: '' })
  const { newEmail } = form.values
  const [password, setPassword] = useState('')
  const changing = useAccountChange<{ newEmail: string; password: string }>('change-email', {
    onSuccess: () => {
      form.forget()
      setPassword('')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate({ newEmail, password })
  }
  return (
    <Section
      title={t('E-mail')}
      about={rich('You sign in with {email}. {what}', {
        email: <bdi>{email}</bdi>,
        what: byMail ? CONFIRMED_BY_MAIL : NO_MAIL,
      })}
    >
      {byMail && !isVerified && <Unconfirmed email={email} />}
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <TextInput
            label={t('New e-mail')}
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            value={newEmail}
            onChange={event => form.write({ newEmail: event.currentTarget.value })}
            w={360}
            maw="100%"
          />
          <PasswordField label={t('Your password, to change the e-mail')} value={password} onChange={setPassword} />
          <Button type="submit" variant="default" loading={changing.isPending}>
            {t('Change e-mail')}
          </Button>
        </Stack>
      </form>
      <FormFailure form={null} error={changing.error} title={t('Your e-mail was not changed')} />
      {changing.isSuccess &&
        (byMail ? (
          <MailedTo email={email} wanted={changing.variables.newEmail} />
        ) : (
          <Outcome email={email} wanted={changing.variables.newEmail} />
        ))}
    </Section>
  )
}

const Outcome = ({ email, wanted }: { readonly email: string; readonly wanted: string }) => (
  <LiveStatus>
    <Alert mt="sm" variant="light" role="note" color={email === wanted.toLowerCase() ? 'teal' : 'yellow'}>
      {email === wanted.toLowerCase()
        ? rich('From now on you sign in with {email}.', { email: <bdi>{email}</bdi> })
        : rich('This address cannot be used. You still sign in with {email}.', { email: <bdi>{email}</bdi> })}
    </Alert>
  </LiveStatus>
)

const NO_MAIL = t('No mail is sent to it, so write a new one carefully.')
const CONFIRMED_BY_MAIL = t('A new address counts after you have opened the link that is sent to it.')

/** Whether this installation sends links by mail. */
const useMailedLinks = (): boolean => useSignInWays().data?.password_reset === 'mail'

/** The service says the same of an address that is taken. */
const MailedTo = ({ email, wanted }: { readonly email: string; readonly wanted: string }) => (
  <LiveStatus>
    <Alert mt="sm" variant="light" role="note" color="teal">
      {rich(
        'If the address can be used, a mail is on its way to {wanted}. Open the link in it, in this browser; until then you sign in with {email}.',
        { wanted: <bdi>{wanted}</bdi>, email: <bdi>{email}</bdi> },
      )}
    </Alert>
  </LiveStatus>
)

/** For an address that nobody has shown to be theirs yet. */
const Unconfirmed = ({ email }: { readonly email: string }) => {
  const sending = useAccountChange<object>('send-verification-email', {
    onSuccess: () => notifyDone(t('A mail with a link is on its way to you.')),
  })
  return (
    <>
      <Group gap="sm" mb="sm">
        <Text size="sm">{rich('You have not confirmed {email} yet.', { email: <bdi>{email}</bdi> })}</Text>
        <Button size="compact-sm" variant="default" loading={sending.isPending} onClick={() => sending.mutate({})}>
          {t('Send the link again')}
        </Button>
      </Group>
      <FormFailure form={null} error={sending.error} title={t('No mail was sent')} />
    </>
  )
}
