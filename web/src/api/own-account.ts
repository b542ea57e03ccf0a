import { useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from './http.ts'
import { operationKey, useWrite } from './operations.ts'
import { PASSKEYS_KEY } from './passkeys.ts'

interface OwnWays {
  readonly has_password: boolean
  readonly has_sign_on: boolean
  readonly has_two_factor: boolean
}

/** The ways into the installation. */
interface SignInWays {
  /** Whether people sign in with a password. */
  readonly password: boolean
  /** Whether passkeys stand in for it. */
  readonly passkey: boolean
  /** What single sign-on is called here; null: there is none. */
  readonly sign_on: string | null
  /** How somebody who forgot their password gets a link. */
  readonly password_reset: 'mail' | 'administrator'
  /** Whom the installation lets sign up: see query-api/accounts/sign-up-check.ts. */
  readonly sign_up: 'everyone' | 'first' | 'invited' | 'nobody'
  /** Whether anybody has an account yet. */
  readonly has_accounts: boolean
  /** Of who is signed in; null for nobody. */
  readonly own: OwnWays | null
}

const WAYS_KEY = ['sign-in-ways'] as const

export const useSignInWays = () =>
  useQuery<SignInWays>({ queryKey: WAYS_KEY, queryFn: () => get('/api/auth/sign-in-ways') })

/** Leaves for the issuer's pages, which come back to where the person was. */
export const goToSignOn = async (back: string): Promise<void> => {
  const { url } = await post<{ readonly url: string }>('/api/auth/sign-in/sign-on', { back })
  location.assign(url)
}

/** The second step of a sign-in: six digits of the app, or a backup code. */
export const giveSecondFactor = (code: string): Promise<unknown> => {
  const digits = code.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits)
    ? post('/api/auth/sign-in/two-factor', { code: digits })
    : post('/api/auth/sign-in/backup-code', { code: code.trim() })
}

/** Where the person is signed in. */
export interface OwnSession {
  readonly id: string
  /** Whether it is this browser. */
  readonly current: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly address: string | null
  readonly browser: string | null
}

export const SESSION_KEY = ['session'] as const
export const SESSIONS_KEY = ['sessions'] as const

export const readSessions = async (): Promise<readonly OwnSession[]> =>
  (await get<{ readonly items: readonly OwnSession[] }>('/api/auth/list-sessions')).items

/** Changes something of the person’s own account, and asks again who they are and where they are signed in. */
export const useAccountChange = <Fields extends object>(
  path: string,
  { onSuccess }: { readonly onSuccess?: () => unknown } = {},
) => {
  const queries = useQueryClient()
  return useWrite((fields: Fields) => post(`/api/auth/${path}`, fields), {
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

/** The same, of which the answer is shown once and kept nowhere. */
export const useAccountWrite = <Fields extends object, Answer>(path: string, onSuccess: (answer: Answer) => void) =>
  useWrite((fields: Fields) => post<Answer>(`/api/auth/${path}`, fields), { onSuccess })
