import { Alert, Button, CloseButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { Section } from '../workspace/section.tsx'
import { EmailForm } from './email-form.tsx'

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
      about={t('A link to choose a new password, for an hour. That you made it is in the audit log.')}
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
