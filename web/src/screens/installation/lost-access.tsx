import { Alert, Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'

/** Takes the second factor off somebody who has lost their device and their codes. */
export const LostSecondFactor = () => {
  const [email, setEmail] = useState('')
  const removing = useChange('remove_two_factor', {
    invalidates: ['list_audit_log'],
    onSuccess: ({ name }) => {
      setEmail('')
      notifyDone(rich('{name} signs in with the password alone.', { name: <bdi>{name}</bdi> }))
    },
  })
  return (
    <Section
      title={t('Lost second factors')}
      about={t(
        'First make sure that the person really asked: from then on the password alone opens the account. The audit log shows that you did it.',
      )}
    >
      <EmailForm
        label={t('Who lost their second factor')}
        description={t('The e-mail of their account.')}
        email={email}
        onChange={setEmail}
        onSubmit={() => removing.mutate({ email })}
      >
        <Button type="submit" variant="default" loading={removing.isPending}>
          {t('Take it off')}
        </Button>
      </EmailForm>
      {removing.error !== null && <ErrorState error={removing.error} title={t('Nothing was changed')} />}
    </Section>
  )
}

/** Helps somebody to a new password: by mail, or by a link to copy where no mail is sent. */
export const ForgottenPassword = () => {
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<Output<'make_reset_link'> | null>(null)
  const making = useChange('make_reset_link', {
    invalidates: ['list_audit_log'],
    onSuccess: answer => {
      setEmail('')
      setMade(answer)
    },
  })
  const submit = () => {
    setMade(null)
    making.mutate({ email })
  }
  return (
    <Section
      title={t('Forgotten passwords')}
      about={t('A link to choose a new password. It works for an hour. The audit log shows that you made it.')}
    >
      <EmailForm
        label={t('Who forgot their password')}
        description={t('The e-mail of their account.')}
        email={email}
        onChange={setEmail}
        onSubmit={submit}
      >
        <Button type="submit" variant="default" loading={making.isPending}>
          {t('Make a link')}
        </Button>
      </EmailForm>
      {making.error !== null && <ErrorState error={making.error} title={t('No link was made')} />}
      {made !== null && <Made made={made} onClose={() => setMade(null)} />}
    </Section>
  )
}

interface MadeProps {
  readonly made: Output<'make_reset_link'>
  readonly onClose: () => void
}

/** The one time that the link is shown; sent, it is shown to nobody else. */
const Made = ({ made: { name, by_mail, url }, onClose }: MadeProps) => (
  <Alert mt="md" variant="light" color={by_mail ? 'green' : 'yellow'} role="status">
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Text size="sm">
        {by_mail
          ? rich('A mail with the link is on its way to {name}.', { name: <bdi>{name}</bdi> })
          : rich(
              'Give this link to {name} and to nobody else: whoever opens it has the account. It is shown this once.',
              { name: <bdi>{name}</bdi> },
            )}
      </Text>
      <CloseButton onClick={onClose} aria-label={t('Hide the link')} />
    </Group>
    {url !== null && <Copyable label={t('Link')} text={url} />}
  </Alert>
)

interface Props {
  readonly label: string
  readonly description: string
  /** The e-mail of the account. */
  readonly email: string
  readonly onChange: (email: string) => void
  readonly onSubmit: () => void
  /** The buttons beside it. */
  readonly children: ReactNode
}

/** Names an account by its e-mail, to do something to it. */
export const EmailForm = ({ label, description, email, onChange, onSubmit, children }: Props) => {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={label}
          description={description}
          type="email"
          required
          withAsterisk={false}
          value={email}
          onChange={event => onChange(event.currentTarget.value)}
          flex={1}
          miw={220}
        />
        {children}
      </Group>
    </form>
  )
}
