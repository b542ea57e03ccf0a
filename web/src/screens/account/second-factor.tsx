import { TextInput } from '@mantine/core'
import { giveSecondFactor } from '../../api/sign-in-ways.ts'
import { t } from '../../language/messages.ts'
import { AccountPage } from './account-page.tsx'

/** The second step of a sign-in, after the password. */
export const SecondFactor = () => (
  <AccountPage
    title={t('Your second factor')}
    about={t(
      'The six digits that your authenticator app shows now, or one of your backup codes. You have lost both? An administrator of this installation takes the second factor off.',
    )}
    action={t('Sign in')}
    send={({ code = '' }) => giveSecondFactor(code)}
  >
    <TextInput
      label={t('Code')}
      name="code"
      autoComplete="one-time-code"
      inputMode="text"
      maxLength={20}
      required
      withAsterisk={false}
      autoFocus
    />
  </AccountPage>
)
