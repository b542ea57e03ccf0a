import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from './http.ts'
import { operationKey, useWrite } from './operations.ts'
import { getOwn, postOwn } from './own-requests.ts'
import { PASSKEYS_KEY } from './passkeys.ts'
import { changeAccount } from './session.ts'

interface OwnWays {
  readonly has_password: boolean
  readonly has_sign_on: boolean
  readonly has_two_factor: boolean
}

interface SignInWays {
  /** True when people sign in with a password. */
  readonly password: boolean
  /** True when a passkey can replace the password. */
  readonly passkey: boolean
  /** Name of single sign-on here; null without it. */
  readonly sign_on: string | null
  /** Origin of the link for a person who forgot their password. */
  readonly password_reset: 'mail' | 'administrator'
  /** People who can sign up: see query-api/accounts/sign-up-check.ts. */
  readonly sign_up: 'everyone' | 'first' | 'invited' | 'nobody'
  /** True when any account exists. */
  readonly has_accounts: boolean
  /** Ways of the signed-in person; null without one. */
  readonly own: OwnWays | null
}

const WAYS_KEY = ['sign-in-ways'] as const

export const useSignInWays = () =>
  useQuery<SignInWays>({ queryKey: WAYS_KEY, queryFn: () => get('/api/auth/sign-in-ways') })

/** Goes to the issuer's pages, which return to `back`. A new account accepts the invitation. */
export const goToSignOn = async (back: string, invitation: string): Promise<void> => {
  const given = { back, ...(invitation !== '' && { invitation }) }
  const { url } = await post<{ readonly url: string }>('/api/auth/sign-in/sign-on', given)
  location.assign(url)
}

/** Second step of a sign-in: six digits of the app, or a backup code. */
export const giveSecondFactor = (code: string): Promise<unknown> => {
  const digits = code.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits)
    ? post('/api/auth/sign-in/two-factor', { code: digits })
    : post('/api/auth/sign-in/backup-code', { code: code.trim() })
}

export interface OwnSession {
  readonly id: string
  /** True for this browser. */
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly address: string | null
  readonly browser: string | null
}

export const SESSION_KEY = ['session'] as const
export const SESSIONS_KEY = ['sessions'] as const

export const readSessions = async (): Promise<readonly OwnSession[]> =>
  (await getOwn<{ readonly items: readonly OwnSession[] }>('list-sessions')).items

/** Changes the person's own account, then reads the session and the list of sessions again. */
export const useAccountChange = <Fields extends object>(
  path: string,
  { onSuccess }: { readonly onSuccess?: () => unknown } = {},
) => {
  const queries = useQueryClient()
  return useWrite((fields: Fields) => changeAccount(() => postOwn(path, fields)), {
    onSuccess: async () => {
      await Promise.all(
        [SESSION_KEY, SESSIONS_KEY, WAYS_KEY, PASSKEYS_KEY, operationKey('list_workspaces')].map(queryKey =>
          queries.invalidateQueries({ queryKey }),
        ),
      )
      await onSuccess?.()
    },
  })
}

/** The same for an answer that is shown once and not stored. */
export const useAccountWrite = <Fields extends object, Answer>(path: string, onSuccess: (answer: Answer) => void) =>
  useWrite((fields: Fields) => postOwn<Answer>(path, fields), { onSuccess })
