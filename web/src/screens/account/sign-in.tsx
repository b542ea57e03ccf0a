import { Anchor, PasswordInput, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { signIn } from '../../api/accounts.ts'
import { AccountPage } from './account-page.tsx'

const SignIn = () => (
  <AccountPage
    title="Sign in to Assay"
    about="Evidence that people and agents can act on."
    action="Sign in"
    send={({ email = '', password = '' }) => signIn({ email, password })}
    instead={{ text: 'New here?', link: 'Create an account', to: '/sign-up' }}
  >
    <TextInput label="E-mail" name="email" type="email" autoComplete="email" required withAsterisk={false} autoFocus />
    <PasswordInput
      label="Password"
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
    />
    <Anchor component={Link} to="/forgot-password" size="sm" underline="always">
      Forgot your password?
    </Anchor>
  </AccountPage>
)

export default SignIn
