import { PasswordInput, TextInput } from '@mantine/core'
import { signIn } from '../../api/accounts.ts'
import { t } from '../../language/messages.ts'
import { AccountPage } from './account-page.tsx'

const SignIn = () => (
  <AccountPage
    title={t('Sign in to Assay')}
    about={t('Evidence that people and agents can act on.')}
    action={t('Sign in')}
    send={({ email = '', password = '' }) => signIn({ email, password })}
    instead={{ text: t('New here?'), link: t('Create an account'), to: '/sign-up' }}
  >
    <TextInput
      label={t('E-mail')}
      name="email"
      type="email"
      autoComplete="email"
      required
      withAsterisk={false}
      autoFocus
    />
    <PasswordInput
      label={t('Password')}
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
    />
  </AccountPage>
)

export default SignIn
