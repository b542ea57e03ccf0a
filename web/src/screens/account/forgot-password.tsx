import { Text } from '@mantine/core'
import { useState } from 'react'
import { requestPasswordReset } from '../../api/accounts.ts'
import { useSignInWays } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { EmailBox } from '../../parts/controls.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { AccountForm, AccountFrame } from './account-page.tsx'

const TITLE = t('Forgot your password?')
const INSTEAD = { text: t('Remembered it?'), link: t('Sign in'), to: '/sign-in' }

/** Where somebody asks for a link to choose a new password, or is told who makes one. */
const ForgotPassword = () => {
  const { data, error, refetch } = useSignInWays()
  const [sentTo, setSentTo] = useState<string | null>(null)
  if (data === undefined) {
    return (
      <AccountFrame title={TITLE} about={t('You choose a new one.')} instead={INSTEAD}>
        {error === null ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />}
      </AccountFrame>
    )
  }
  if (data.password_reset === 'administrator') return <FromAdministrator />
  return (
    <AccountFrame
      title={sentTo === null ? TITLE : t('Look into your mail')}
      about={t('You get a link by mail, and choose a new one.')}
      instead={INSTEAD}
    >
      {sentTo === null ? <AskForLink onSent={setSentTo} /> : <Sent to={sentTo} />}
    </AccountFrame>
  )
}

export default ForgotPassword

const FromAdministrator = () => (
  <AccountFrame title={TITLE} about={t('An administrator can give you a new one.')} instead={INSTEAD}>
    <Text size="sm">
      {t(
        'This installation sends no mail. Ask somebody who administers it for a link: they make it under Settings → Installation. Whoever runs the server can make one too.',
      )}
    </Text>
  </AccountFrame>
)

const AskForLink = ({ onSent }: { readonly onSent: (email: string) => void }) => {
  const [email, setEmail] = useState('')
  return (
    <AccountForm
      action={t('Send the link')}
      send={() => requestPasswordReset(email.trim())}
      onSuccess={() => onSent(email.trim())}
    >
      <EmailBox autoFocus value={email} onChange={event => setEmail(event.currentTarget.value)} />
    </AccountForm>
  )
}

/** The same whether anybody has the address: who asks learns nothing of others. */
const Sent = ({ to }: { readonly to: string }) => (
  <Text size="sm" role="status">
    {rich(
      'If an account has the address {to}, a mail with a link is on its way. The link works for an hour. Nothing came? Look in your spam folder, or ask again.',
      { to: <bdi>{to}</bdi> },
    )}
  </Text>
)
