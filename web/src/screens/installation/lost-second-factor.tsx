import { Button } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { Section } from '../workspace/section.tsx'
import { EmailForm } from './email-form.tsx'

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
        'Make sure first that it is them who ask: from then on the password alone opens the account. That you did it is in the audit log.',
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
