import { t } from '../../language/messages.ts'

/** Why single sign-on let somebody not in, by the code that the sign-in page was given. The code alone: a link could say anything. */
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
export const signOnFailure = (search: string): string | null => {
  const code = new URLSearchParams(search).get('error')
  if (code === null) return null
  return Object.hasOwn(FAILURES, code) ? (FAILURES[code] ?? OTHERWISE) : OTHERWISE
}
