import { Alert, Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { type Form, useNewForm } from '../../parts/forms/use-form.ts'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Section } from '../../parts/page.tsx'
import { notifyDone } from '../../shell/notify.tsx'

/** Takes the second factor off somebody who has lost their device and their codes. */
export const LostSecondFactor = () => {
  const form = useNewForm('lost second factor', { email: '' })
  const removing = useChange('remove_two_factor', {
    invalidates: ['list_audit_log'],
    onSuccess: ({ name }) => {
      form.forget()
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
        form={form}
        onSubmit={() => removing.mutate(form.values)}
      >
        <Button type="submit" variant="default" loading={removing.isPending}>
          {t('Remove it')}
        </Button>
      </EmailForm>
      <FormFailure form={null} error={removing.error} title={t('Nothing was changed')} />
    </Section>
  )
}

/** Helps somebody to a new password: by mail, or by a link to copy where no mail is sent. */
export const ForgottenPassword = () => {
  const form = useNewForm('forgotten password', { email: '' })
  const [made, setMade] = useState<Output<'make_reset_link'> | null>(null)
  const making = useChange('make_reset_link', {
    invalidates: ['list_audit_log'],
    onSuccess: answer => {
      form.forget()
      setMade(answer)
    },
  })
  const submit = () => {
    setMade(null)
    making.mutate(form.values)
  }
  return (
    <Section
      title={t('Forgotten passwords')}
      about={t('A link to choose a new password. It works for an hour. The audit log shows that you made it.')}
    >
      <EmailForm
        label={t('Who forgot their password')}
        description={t('The e-mail of their account.')}
        form={form}
        onSubmit={submit}
      >
        <Button type="submit" variant="default" loading={making.isPending}>
          {t('Make a link')}
        </Button>
      </EmailForm>
      <FormFailure form={null} error={making.error} title={t('No link was made')} />
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
  <Alert mt="md" variant="light" color={by_mail ? 'teal' : 'yellow'} role="note">
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <LiveStatus>
        <Text size="sm">
          {by_mail
            ? rich('A mail with the link is on its way to {name}.', { name: <bdi>{name}</bdi> })
            : rich(
                'Give this link to {name} and to nobody else: whoever opens it gets the account. It is shown only once.',
                { name: <bdi>{name}</bdi> },
              )}
        </Text>
      </LiveStatus>
      <CloseButton onClick={onClose} aria-label={t('Hide the link')} />
    </Group>
    {url !== null && <Copyable label={t('Link')} text={url} />}
  </Alert>
)

interface Props {
  readonly label: string
  readonly description: string
  /** With the e-mail of the account. */
  readonly form: Form<{ readonly email: string }>
  readonly onSubmit: () => void
  /** The buttons beside it. */
  readonly children: ReactNode
}

/** Names an account by its e-mail, to do something to it. */
export const EmailForm = ({ label, description, form, onSubmit, children }: Props) => {
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
          value={form.values.email}
          onChange={event => form.write({ email: event.currentTarget.value })}
          flex={1}
          miw={220}
        />
        {children}
      </Group>
    </form>
  )
}
