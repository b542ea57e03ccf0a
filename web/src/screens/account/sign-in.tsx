import { Alert, Anchor, Button, Divider, Stack } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { addressAfterSignIn, enter, signIn } from '../../api/accounts.ts'
import { messageOf } from '../../api/http.ts'
import { useWrite } from '../../api/operations.ts'
import { giveSecondFactor, goToSignOn, useSignInWays } from '../../api/own-account.ts'
import { askForPasskey, makesPasskeys, offersQuietly, signInWithPasskey } from '../../api/passkeys.ts'
import { t } from '../../language/messages.ts'
import { EmailBox } from '../../parts/controls.tsx'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { PasswordBox } from '../../parts/password-box.tsx'
import { LoadingState } from '../../parts/states.tsx'
import { AccountFrame, AccountPage, invitationToken } from './account-page.tsx'

/** The second step of a sign-in, after the password. */
const SecondFactor = () => (
  <AccountPage
    title={t('Your second factor')}
    about={t(
      'The six digits that your authenticator app shows now, or one of your backup codes. You have lost both? An administrator of this installation takes the second factor off.',
    )}
    action={t('Sign in')}
    send={({ code = '' }) => giveSecondFactor(code)}
  >
    <LimitedInput
      label={t('Code')}
      name="code"
      autoComplete="one-time-code"
      inputMode="text"
      most={20}
      required
      withAsterisk={false}
      autoFocus
    />
  </AccountPage>
)

/**
 * Why single sign-on let somebody not in, by the code that the sign-in page was given. The code alone: a link could say
 * anything.
 */
const FAILURES: Readonly<Record<string, string>> = {
  ADDRESS_NOT_VERIFIED: t(
    'Your address is not confirmed there. Confirm it with your company’s sign-in, and try again.',
  ),
  ADDRESS_NOT_ALLOWED: t('Addresses of your domain do not sign in here. Ask an administrator of this installation.'),
  NO_ACCOUNT: t('You have no account here yet. Ask for an invitation, or ask an administrator to let your group in.'),
  ACCOUNT_DISABLED: t('This account is disabled. Ask an administrator of this installation.'),
  account_not_linked: t(
    'An account with your address is here already, and its address is not confirmed. Sign in to it with its password and confirm the address, or ask an administrator.',
  ),
  access_denied: t('You were not let in there. Try again, or ask your company’s administrator.'),
}

const OTHERWISE = t('Single sign-on did not work. Try again.')

/** Null where nothing went wrong. */
const signOnFailure = (search: string): string | null => {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return null
  return Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? OTHERWISE) : OTHERWISE
}

const TITLE = t('Sign in to Assay')
const ABOUT = t('Evidence that people and agents can act on.')

/** The ways that there are: single sign-on, a password, or both. Where nobody has an account yet, the sign-up. */
const SignIn = () => {
  const { search } = useLocation()
  const { data: ways, error } = useSignInWays()
  const [asksMore, setAsksMore] = useState(false)
  if (asksMore) return <SecondFactor />
  if (ways === undefined && error === null) {
    return (
      <AccountFrame title={TITLE} about={ABOUT}>
        <LoadingState rows={2} />
      </AccountFrame>
    )
  }
  // Where it is not known, the password is tried: that says what is away.
  const signOn = ways?.sign_on ?? null
  if (ways?.has_accounts === false && ways.sign_up !== 'nobody' && signOn === null)
    return <Navigate to={`/sign-up${search}`} replace />
  if (ways?.password === false && signOn !== null) {
    return (
      <AccountFrame title={TITLE} about={ABOUT}>
        <SignOn name={signOn} />
      </AccountFrame>
    )
  }
  return (
    <AccountPage
      title={TITLE}
      about={ABOUT}
      action={t('Sign in')}
      send={({ email = '', password = '' }) => signIn({ email, password })}
      admits={answer => {
        const isAsked = (answer as Awaited<ReturnType<typeof signIn>>).twoFactorRedirect === true
        setAsksMore(isAsked)
        return !isAsked
      }}
      before={
        signOn !== null && (
          <>
            <SignOn name={signOn} />
            <Divider my="md" label={t('or with a password')} labelPosition="center" />
          </>
        )
      }
      after={ways?.passkey === true && makesPasskeys() && <Passkey />}
      instead={{ text: t('New here?'), link: t('Create an account'), to: '/sign-up' }}
    >
      <EmailBox autoFocus autoComplete="username webauthn" />
      <PasswordBox label={t('Password')} name="password" />
      <Anchor component={Link} to="/forgot-password" size="sm" underline="always">
        {t('Forgot your password?')}
      </Anchor>
    </AccountPage>
  )
}

export default SignIn

/** The button that leads to the issuer, and what went wrong there. */
const SignOn = ({ name }: { readonly name: string }) => {
  const { search } = useLocation()
  const leaving = useWrite(() => goToSignOn(addressAfterSignIn(search), invitationToken()), { leavesPage: true })
  const failure = signOnFailure(search)
  return (
    <Stack gap="md">
      {(leaving.error !== null || failure !== null) && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {leaving.error === null ? failure : messageOf(leaving.error)}
        </Alert>
      )}
      <Button
        variant="default"
        fullWidth
        loading={leaving.isPending || leaving.isSuccess}
        onClick={() => leaving.mutate({})}
      >
        {t('Continue with {name}', { name })}
      </Button>
    </Stack>
  )
}

/** Whether a passkey was picked and signed somebody in. Nobody is told of what the browser does not offer. */
const offerQuietly = async (signal: AbortSignal): Promise<boolean> => {
  if (!(await offersQuietly())) return false
  const proof = await askForPasskey('conditional', signal).catch(() => null)
  if (proof === null) return false
  await signInWithPasskey(proof)
  return true
}

/** Signs in with a passkey: by the button, or by what the browser offers where the address is typed. */
const Passkey = () => {
  const { search } = useLocation()
  const [round, setRound] = useState(0)
  const [refusal, setRefusal] = useState<unknown>(null)
  const offer = useRef<AbortController>(null)
  const offerAgain = () => setRound(round + 1)
  const using = useWrite(async () => signInWithPasskey(await askForPasskey('optional')), {
    leavesPage: true,
    onSuccess: () => enter(search),
    onError: offerAgain,
  })
  useEffect(() => {
    const controller = new AbortController()
    offer.current = controller
    void offerQuietly(controller.signal).then(
      isIn => isIn && enter(search),
      error => {
        setRefusal(error)
        setRound(round + 1)
      },
    )
    return () => controller.abort()
  }, [round, search])
  const use = () => {
    // A browser asks for one thing at a time.
    offer.current?.abort()
    setRefusal(null)
    using.mutate({})
  }
  const error = using.error ?? refusal
  return (
    <Stack gap="md" mt="md">
      <Divider label={t('or without a password')} labelPosition="center" />
      {error !== null && (
        <Alert color="red" variant="light" role="alert" p="sm">
          {messageOf(error)}
        </Alert>
      )}
      <Button variant="default" fullWidth loading={using.isPending || using.isSuccess} onClick={use}>
        {t('Use a passkey')}
      </Button>
    </Stack>
  )
}
