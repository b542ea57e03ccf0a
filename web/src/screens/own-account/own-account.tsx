import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { readSession } from '../../api/accounts.ts'
import { SESSION_KEY, useAccountChange } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { TellingButton } from '../../parts/telling-button.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'
import { Deletion } from './deletion.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordField } from './password-field.tsx'

/** Settings → Account: who the person is here, their password, and where they are signed in. */
const OwnAccount = () => {
  const { data: session, error, refetch } = useQuery({ queryKey: SESSION_KEY, queryFn: readSession })
  return (
    <Page width="reading">
      <PageHeader
        title={t('Account')}
        about={t('Who you are here, in every workspace, and where you are signed in.')}
      />
      {session == null &&
        (error === null ? <LoadingState rows={4} height={48} /> : <ErrorState error={error} retry={refetch} />)}
      {session != null && (
        <Stack gap="xl">
          <OwnName key={session.user.name} name={session.user.name} />
          <Email email={session.user.email} />
          <Password />
          <OwnSessions />
          <Agents />
          <Deletion email={session.user.email} />
        </Stack>
      )}
    </Page>
  )
}

export default OwnAccount

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
      {changing.error !== null && <ErrorState error={changing.error} title={t('Your password was not changed')} />}
    </Section>
  )
}

const OwnName = ({ name }: { readonly name: string }) => {
  const [wanted, setWanted] = useState(name)
  const renaming = useAccountChange('update-user', { onSuccess: () => notifyDone(t('Your name is changed.')) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate({ name: wanted.trim() })
  }
  return (
    <Section title={t('Name')} about={t('As others see you. What you wrote so far keeps the name that you had then.')}>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            aria-label={t('Your name')}
            autoComplete="name"
            required
            maxLength={MAX_CHARACTERS.name}
            value={wanted}
            onChange={event => setWanted(event.currentTarget.value)}
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
      {renaming.error !== null && <ErrorState error={renaming.error} title={t('Your name was not changed')} />}
    </Section>
  )
}

/** The service says the same of an address that is taken; what counts is the address that is shown. */
const Email = ({ email }: { readonly email: string }) => {
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')
  const changing = useAccountChange<{ newEmail: string; password: string }>('change-email', {
    onSuccess: () => setPassword(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate({ newEmail, password })
  }
  return (
    <Section
      title={t('E-mail')}
      about={rich('You sign in with {email}. No mail is sent to it, so write a new one carefully.', {
        email: <bdi>{email}</bdi>,
      })}
    >
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <TextInput
            label={t('New e-mail')}
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            value={newEmail}
            onChange={event => setNewEmail(event.currentTarget.value)}
            w={360}
            maw="100%"
          />
          <PasswordField label={t('Your password, to change the e-mail')} value={password} onChange={setPassword} />
          <Button type="submit" variant="default" loading={changing.isPending}>
            {t('Change e-mail')}
          </Button>
        </Stack>
      </form>
      {changing.error !== null && <ErrorState error={changing.error} title={t('Your e-mail was not changed')} />}
      {changing.isSuccess && <Outcome email={email} wanted={changing.variables.newEmail} />}
    </Section>
  )
}

const Outcome = ({ email, wanted }: { readonly email: string; readonly wanted: string }) => (
  <Alert mt="sm" variant="light" role="status" color={email === wanted.toLowerCase() ? 'green' : 'yellow'}>
    {email === wanted.toLowerCase()
      ? rich('From now on you sign in with {email}.', { email: <bdi>{email}</bdi> })
      : rich('This address cannot be used. You still sign in with {email}.', { email: <bdi>{email}</bdi> })}
  </Alert>
)
