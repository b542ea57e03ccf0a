import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { readSession } from '../../api/accounts.ts'
import { SESSION_KEY, useAccountChange, useSignInWays } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { FormFailure, FormNotes } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { Page, PageHeader, Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Deletion } from './deletion.tsx'
import { Email } from './own-email.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordField, TwoFactor } from './two-factor.tsx'

/** Settings → Account: who the person is here, their password, and where they are signed in. */
const OwnAccount = () => {
  const { data: session, error, refetch } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession })
  const { data: ways } = useSignInWays()
  const own = ways?.own ?? null
  // Where it is not known yet, what most people have.
  const hasPassword = own === null || (own.has_password && ways?.password !== false)
  return (
    <Page width="reading">
      <PageHeader
        title={t('Account')}
        about={t('Who you are here, in every workspace, and where you are signed in.')}
      />
      {session == null &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {session != null && (
        <Together rows={8} height={48}>
          <Stack gap="xl">
            <OwnName key={session.user.name} name={session.user.name} />
            {!hasPassword && <BySignOn name={ways?.sign_on ?? null} email={session.user.email} />}
            {hasPassword && <Email email={session.user.email} isVerified={session.user.emailVerified} />}
            {hasPassword && <Password />}
            {hasPassword && own !== null && <TwoFactor key={String(own.has_two_factor)} isOn={own.has_two_factor} />}
            {hasPassword && ways?.passkey === true && <Passkeys />}
            <OwnSessions />
            <Agents />
            <Deletion email={session.user.email} asksForPassword={own?.has_password !== false} />
          </Stack>
        </Together>
      )}
    </Page>
  )
}

export default OwnAccount

/** Of who has no password here. */
const BySignOn = ({ name, email }: { readonly name: string | null; readonly email: string }) => (
  <Section
    title={t('Sign-in')}
    about={rich('You sign in with {name}, as {email}. Your password and your second factor are changed there.', {
      name: name ?? t('single sign-on'),
      email: <bdi>{email}</bdi>,
    })}
  >
    {null}
  </Section>
)

/** Where a person is told to look for keys: Settings → Account → Connect agents. */
const Agents = () => (
  <Section
    title={t('Connect agents')}
    about={t('Agents act as you, in one workspace each, through keys that you create.')}
  >
    <Button component={Link} to="/app/settings/connect-agents" variant="default">
      {t('Connect agents')}
    </Button>
  </Section>
)

const Password = () => {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const changing = useAccountChange<{ currentPassword: string; newPassword: string }>('change-password', {
    onSuccess: () => {
      setCurrent('')
      setNew('')
      notifyDone(t('Your password is changed, and every other session has ended.'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate({ currentPassword, newPassword })
  }
  return (
    <Section title={t('Password')} about={t('A new one ends every other session. Agents’ keys go on working.')}>
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <PasswordField label={t('Current password')} value={currentPassword} onChange={setCurrent} />
          <PasswordField label={t('New password')} value={newPassword} onChange={setNew} isNew />
          <Button type="submit" variant="default" loading={changing.isPending}>
            {t('Change password')}
          </Button>
        </Stack>
      </form>
      <FormFailure form={null} error={changing.error} title={t('Your password was not changed')} />
    </Section>
  )
}

const OwnName = ({ name }: { readonly name: string }) => {
  const form = useForm({
    name: 'own name',
    labels: { name: t('Name') },
    now: { version: undefined, values: { name } },
  })
  const wanted = form.values.name
  const renaming = useAccountChange('update-user', {
    onSuccess: () => {
      form.forget()
      notifyDone(t('Your name is changed.'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.conflicts.length === 0) renaming.mutate({ name: wanted.trim() })
  }
  return (
    <Section title={t('Name')} about={t('As others see you. What you wrote so far keeps the name that you had then.')}>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <LimitedInput
            aria-label={t('Your name')}
            autoComplete="name"
            required
            most={MAX_CHARACTERS.name}
            value={wanted}
            onChange={event => form.write({ name: event.currentTarget.value })}
            flex={1}
            miw={200}
          />
          <TellingButton
            type="submit"
            variant="default"
            loading={renaming.isPending}
            missing={wanted.trim() === name ? t('Write another name first.') : null}
          >
            {t('Change name')}
          </TellingButton>
        </Group>
      </form>
      <FormNotes form={form} />
      <FormFailure form={form} error={renaming.error} title={t('Your name was not changed')} />
    </Section>
  )
}
