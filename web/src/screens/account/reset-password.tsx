import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { resetPassword } from '../../api/accounts.ts'
import { t } from '../../language/messages.ts'
import { PasswordBox } from '../../parts/password-box.tsx'
import { AccountForm, AccountFrame, useLinkToken } from './account-page.tsx'

const INSTEAD = { text: t('The link does not work?'), link: t('Ask for another'), to: '/forgot-password' }

/** `/reset-password#token`: where the link of a forgotten password leads. */
const ResetPassword = () => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  if (isDone) return <Done />
  return (
    <AccountFrame title={t('Choose a new password')} about={t('This signs you out everywhere.')} instead={INSTEAD}>
      {token === '' ? (
        <Text size="sm" role="status">
          {t('This link is not complete. Open all of it again from the message that it came in.')}
        </Text>
      ) : (
        <AccountForm
          action={t('Save the password')}
          send={({ password = '' }) => resetPassword({ token, newPassword: password })}
          onSuccess={() => setDone(true)}
        >
          <PasswordBox label={t('New password')} name="password" isNew autoFocus />
        </AccountForm>
      )}
    </AccountFrame>
  )
}

export default ResetPassword

const Done = () => (
  <AccountFrame title={t('Your password is changed')} about={t('Every session has ended.')}>
    <Stack gap="md">
      <Text size="sm" role="status">
        {t(
          'Sign in with the new password. The keys of your agents go on working; look at them under Settings → Account → Connect agents if somebody else may have been in your account.',
        )}
      </Text>
      <Button component={Link} to="/sign-in" fullWidth>
        {t('Sign in')}
      </Button>
    </Stack>
  </AccountFrame>
)
