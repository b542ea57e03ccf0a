import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { verifyAddress } from '../../api/address-verification.ts'
import { AccountForm, AccountFrame } from './account-page.tsx'
import { useLinkToken } from './link-token.ts'

const INSTEAD = { text: 'Nothing to confirm?', link: 'Sign in', to: '/sign-in' }

/** `/verify-email#token`: where the link leads that was sent to an address. A press of a button, since mail programs open links by themselves. */
const VerifyEmail = () => {
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  if (isDone) return <Done />
  return (
    <AccountFrame title="Confirm your address" about="You show that this address is yours." instead={INSTEAD}>
      {token === '' ? (
        <Text size="sm" role="status">
          This link is not complete. Open it again from the mail that it came in, all of it.
        </Text>
      ) : (
        <AccountForm action="Confirm the address" send={() => verifyAddress(token)} onSuccess={() => setDone(true)}>
          <Text size="sm">It is the address that the mail with this link came to.</Text>
        </AccountForm>
      )}
    </AccountFrame>
  )
}

export default VerifyEmail

const Done = () => (
  <AccountFrame title="Your address is confirmed" about="You sign in with it.">
    <Stack gap="md">
      <Text size="sm" role="status">
        Thank you. Nothing else is needed.
      </Text>
      <Button component={Link} to="/app" fullWidth>
        Go to Assay
      </Button>
    </Stack>
  </AccountFrame>
)
