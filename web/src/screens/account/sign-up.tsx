import { Text } from '@mantine/core'
import { useState } from 'react'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { signUp } from '../../api/accounts.ts'
import { useSignInWays } from '../../api/own-account.ts'
import { t } from '../../language/messages.ts'
import { EmailBox } from '../../parts/controls.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { PasswordBox } from '../../parts/password-box.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { AccountFrame, AccountPage, invitationToken } from './account-page.tsx'

const WHOLE_TOKEN = /^[\w-]{43}$/

const TITLE = t('Create your account')
const INSTEAD = { text: t('Already have an account?'), link: t('Sign in'), to: '/sign-in' }

/** What is the case comes before a form: nobody fills one in for nothing. */
const SignUp = () => {
  const { data, error, refetch } = useSignInWays()
  const token = invitationToken()
  const invitation = WHOLE_TOKEN.test(token) ? token : null
  if (data === undefined) {
    return (
      <AccountFrame title={TITLE} about={t('Nothing leaves this installation.')} instead={INSTEAD}>
        {error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />}
      </AccountFrame>
    )
  }
  const { sign_up: admits, has_accounts } = data
  if (admits === 'nobody') return <Closed />
  if (admits === 'invited' && invitation === null) return <ByInvitation />
  return (
    <SignUpForm
      about={ABOUT[invitation === null || admits === 'first' ? admits : 'invited']}
      invitation={invitation}
      isFirst={!has_accounts}
    />
  )
}

const ABOUT = {
  everyone: t('You get a workspace of your own at once. Nothing leaves this installation.'),
  first: t(
    'You are the first person here: your account administers this installation. After you, others can only join by invitation.',
  ),
  invited: t('You are invited. Your invitation is used for this account alone.'),
} as const

const Closed = () => (
  <AccountFrame title={t('Sign-up is closed')} about={t('Nobody can create an account here now.')} instead={INSTEAD}>
    <Text size="sm">{t('The operator of this installation can open it. If you have an account, sign in.')}</Text>
  </AccountFrame>
)

const ByInvitation = () => (
  <AccountFrame
    title={t('This installation is by invitation')}
    about={t('An account is created from the link of an invitation.')}
    instead={INSTEAD}
  >
    <Text size="sm">
      {t(
        'Ask an owner of a workspace for a link: they make it under Settings → Members. Open it in this browser, and you can create your account.',
      )}
    </Text>
  </AccountFrame>
)

interface FormProps {
  readonly about: string
  readonly invitation: string | null
  /** Whether nobody could sign in instead. */
  readonly isFirst: boolean
}

const SignUpForm = ({ about, invitation, isFirst }: FormProps) => {
  const [isMade, setMade] = useState(false)
  // Without a token nobody is signed in yet.
  const admits = (answer: unknown): boolean => {
    const isIn = (answer as Awaited<ReturnType<typeof signUp>>).token !== null
    setMade(!isIn)
    return isIn
  }
  if (isMade) return <ConfirmFirst />
  return (
    <AccountPage
      admits={admits}
      title={TITLE}
      about={about}
      action={t('Sign up')}
      send={({ name = '', email = '', password = '' }) =>
        signUp({ name, email, password, ...(invitation !== null && { invitation }) })
      }
      {...(!isFirst && { instead: INSTEAD })}
    >
      <LimitedInput
        label={t('Name')}
        name="name"
        autoComplete="name"
        required
        withAsterisk={false}
        most={MAX_CHARACTERS.name}
        autoFocus
      />
      <EmailBox />
      <PasswordBox label={t('Password')} name="password" isNew />
    </AccountPage>
  )
}

const ConfirmFirst = () => (
  <AccountFrame title={t('Confirm your address')} about={t('One step is left.')} instead={INSTEAD}>
    <Text size="sm" role="status">
      {t(
        'A mail is on its way to you. Open the link in it, and then sign in. Nothing came? Signing in sends another one.',
      )}
    </Text>
  </AccountFrame>
)

export default SignUp
