import { PasswordInput, TextInput } from '@mantine/core'
import { signUp } from '../../api/accounts.ts'
import { AccountPage } from './account-page.tsx'

/** The least that the account library takes; it says so itself where a browser does not. */
const PASSWORD_CHARACTERS = 8

const SignUp = () => (
  <AccountPage
    title="Create your account"
    about="You get a workspace of your own at once. Nothing leaves this installation."
    action="Sign up"
    send={({ name = '', email = '', password = '' }) => signUp({ name, email, password })}
    instead={{ text: 'Already have an account?', link: 'Sign in', to: '/sign-in' }}
  >
    <TextInput label="Name" name="name" autoComplete="name" required withAsterisk={false} maxLength={120} autoFocus />
    <TextInput label="E-mail" name="email" type="email" autoComplete="email" required withAsterisk={false} />
    <PasswordInput
      label="Password"
      name="password"
      autoComplete="new-password"
      description={`At least ${PASSWORD_CHARACTERS} characters.`}
      required
      withAsterisk={false}
      minLength={PASSWORD_CHARACTERS}
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is written' }}
    />
  </AccountPage>
)

export default SignUp
