import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { resetPassword } from '../../api/password-reset.ts'
import { AccountForm, AccountFrame } from './account-page.tsx'

const INSTEAD = { text: 'The link does not work?', link: 'Ask for another', to: '/forgot-password' }

/** Taken out of the address, so that no history and nobody who looks at the screen has it. */
const takeToken = (): string => {
  const token = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname)
  return token
}

/** `/reset-password#token`: where the link of a forgotten password leads. */
const ResetPassword = () => {
  const [token, setToken] = useState('')
  const [isDone, setDone] = useState(false)
  // Another link in this tab changes nothing but what is after the #.
  useEffect(() => {
    const take = () => {
      if (location.hash !== '') setToken(takeToken())
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  if (isDone) return <Done />
  return (
    <AccountFrame title="Choose a new password" about="You are signed out everywhere then." instead={INSTEAD}>
      {token === '' ? (
        <Text size="sm" role="status">
          This link is not complete. Open it again from the message that it came in, all of it.
        </Text>
      ) : (
        <AccountForm
          action="Save the password"
          send={({ password = '' }) => resetPassword({ token, newPassword: password })}
          onSuccess={() => setDone(true)}
        >
          <PasswordInput
            label="New password"
            name="password"
            autoComplete="new-password"
            description={`At least ${MIN_PASSWORD_CHARACTERS} characters.`}
            required
            withAsterisk={false}
            minLength={MIN_PASSWORD_CHARACTERS}
            maxLength={MAX_PASSWORD_CHARACTERS}
            autoFocus
            visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          />
        </AccountForm>
      )}
    </AccountFrame>
  )
}

export default ResetPassword

const Done = () => (
  <AccountFrame title="Your password is changed" about="Every session has ended." instead={INSTEAD}>
    <Stack gap="md">
      <Text size="sm" role="status">
        Sign in with the new password. The keys of your agents go on working; look at them under Settings → Connect
        agents if somebody else may have been in your account.
      </Text>
      <Button component={Link} to="/sign-in" fullWidth>
        Sign in
      </Button>
    </Stack>
  </AccountFrame>
)
