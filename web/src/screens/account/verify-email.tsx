import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Problem, post } from '../../api/http.ts'
import { t } from '../../language/messages.ts'
import { AccountForm, AccountFrame, useLinkToken } from './account-page.tsx'

const INVALID = t(
  'This link does not work: it was used, it is older than a day, or it is not complete. Ask for another under Settings → Account.',
)
const SAID_SHORTLY = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND', 'INVALID_USER']

/** Takes the token of a link that was sent to an address. */
export const verifyAddress = async (token: string): Promise<unknown> => {
  try {
    return await post('/api/auth/verify-email', { token })
  } catch (error) {
    // The account library says it in two words.
    throw error instanceof Problem && SAID_SHORTLY.includes(error.code)
      ? new Problem({ code: error.code, detail: INVALID })
      : error
  }
}

const INSTEAD = { text: t('Nothing to confirm?'), link: t('Sign in'), to: '/sign-in' }

/**
 * `/verify-email#token`: where the link leads that was sent to an address. A press of a button, since mail programs
 * open links by themselves.
 */
const VerifyEmail = () => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  if (isDone) return <Done />
  return (
    <AccountFrame title={t('Confirm your address')} about={t('You show that this address is yours.')} instead={INSTEAD}>
      {token === '' ? (
        <Text size="sm" role="status">
          {t('This link is not complete. Open all of it again from the mail that it came in.')}
        </Text>
      ) : (
        <AccountForm
          action={t('Confirm the address')}
          send={() => verifyAddress(token)}
          onSuccess={() => setDone(true)}
        >
          <Text size="sm">{t('It is the address that the mail with this link came to.')}</Text>
        </AccountForm>
      )}
    </AccountFrame>
  )
}

export default VerifyEmail

const Done = () => (
  <AccountFrame title={t('Your address is confirmed')} about={t('You sign in with it.')}>
    <Stack gap="md">
      <Text size="sm" role="status">
        {t('Thank you. Nothing else is needed.')}
      </Text>
      <Button component={Link} to="/app" fullWidth>
        {t('Go to Assay')}
      </Button>
    </Stack>
  </AccountFrame>
)
