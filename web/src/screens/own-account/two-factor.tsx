import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useAccountChange, useAccountWrite } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Section } from '../../parts/page.tsx'
import { PasswordBox } from '../../parts/password-box.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

interface Begun {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** A second factor beside the password: an authenticator app, and codes for when it is lost. */
export const TwoFactor = ({ isOn }: { readonly isOn: boolean }) => (
  <Section
    title={t('Second factor')}
    about={
      isOn
        ? t('It is on: a sign-in with your password asks for six digits of your authenticator app too.')
        : t('With it, a stolen password is not enough: a sign-in also asks for six digits of an app on your phone.')
    }
  >
    {isOn ? <TurnOff /> : <TurnOn />}
  </Section>
)

const TurnOn = () => {
  const [password, setPassword] = useState('')
  const [begun, setBegun] = useState<Begun | null>(null)
  const beginning = useAccountWrite<{ password: string }, Begun>('two-factor/enable', answer => {
    setPassword('')
    setBegun(answer)
  })
  if (begun !== null) return <FirstDigits begun={begun} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    beginning.mutate({ password })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <PasswordField label={t('Your password, to set it up')} value={password} onChange={setPassword} />
        <Button type="submit" variant="default" loading={beginning.isPending}>
          {t('Set up a second factor')}
        </Button>
        <FormFailure form={null} error={beginning.error} title={t('Nothing was changed')} />
      </Stack>
    </form>
  )
}

/** In groups of four, as people type it. */
const secretOf = (uri: string): string =>
  (new URL(uri).searchParams.get('secret') ?? '').replaceAll(/(.{4})(?=.)/g, '$1 ')

const FirstDigits = ({ begun: { totpURI, backupCodes } }: { readonly begun: Begun }) => {
  const [code, setCode] = useState('')
  const confirming = useAccountChange<{ code: string }>('two-factor/confirm', {
    onSuccess: () => notifyDone(t('Your second factor is on.')),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate({ code: code.replaceAll(/\s/g, '') })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">{t('1. Scan this with your authenticator app, or type the key below into it.')}</Text>
        <Suspense fallback={<LoadingState rows={1} height={192} />}>
          <QrCode text={totpURI} />
        </Suspense>
        <Copyable label={t('Key')} text={secretOf(totpURI)} />
        <Text size="sm">
          {t('2. Keep these codes where you find them without your phone. Each opens your account once.')}
        </Text>
        <Copyable label={t('Backup codes')} text={backupCodes.join('\n')} />
        <Group gap="sm" align="flex-end">
          <LimitedInput
            label={t('3. The six digits that the app shows now')}
            inputMode="numeric"
            autoComplete="one-time-code"
            most={7}
            required
            withAsterisk={false}
            value={code}
            onChange={event => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={confirming.isPending}>
            {t('Turn it on')}
          </Button>
        </Group>
        <FormFailure form={null} error={confirming.error} title={t('It is not on yet')} />
      </Stack>
    </form>
  )
}

const TurnOff = () => {
  const [password, setPassword] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const making = useAccountWrite<{ password: string }, Pick<Begun, 'backupCodes'>>(
    'two-factor/generate-backup-codes',
    ({ backupCodes }) => {
      setPassword('')
      setCodes(backupCodes)
    },
  )
  const turningOff = useAccountChange<{ password: string }>('two-factor/disable', {
    onSuccess: () => notifyDone(t('Your second factor is off.')),
  })
  const error = making.error ?? turningOff.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    making.mutate({ password })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <PasswordField
          label={t('Your password, to change the second factor')}
          value={password}
          onChange={setPassword}
        />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={making.isPending}>
            {t('Make new backup codes')}
          </Button>
          <Button
            variant="subtle"
            color="red"
            loading={turningOff.isPending}
            onClick={() => turningOff.mutate({ password })}
          >
            {t('Turn it off')}
          </Button>
        </Group>
        {codes !== null && (
          <Alert variant="light" color="yellow" role="note">
            <LiveStatus>
              <Text size="sm" mb="xs">
                {t('Keep these codes: they are shown only once. The earlier codes no longer work.')}
              </Text>
            </LiveStatus>
            <Copyable label={t('Backup codes')} text={codes.join('\n')} />
          </Alert>
        )}
        {error !== null && <ErrorState error={error} title={t('Nothing was changed')} />}
      </Stack>
    </form>
  )
}

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Whether it is one that the person chooses now. */
  readonly isNew?: boolean
}

export const PasswordField = ({ onChange, ...props }: Props) => (
  <PasswordBox {...props} onChange={event => onChange(event.currentTarget.value)} w={360} maw="100%" />
)
