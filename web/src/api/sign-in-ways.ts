import { get } from './get.ts'
import { post } from './post.ts'

interface OwnWays {
  readonly has_password: boolean
  readonly has_sign_on: boolean
  readonly has_two_factor: boolean
}

export interface SignInWays {
  /** Whether people sign in with a password. */
  readonly password: boolean
  /** What single sign-on is called here; null: there is none. */
  readonly sign_on: string | null
  /** Of who is signed in; null for nobody. */
  readonly own: OwnWays | null
}

export const WAYS_KEY = ['sign-in-ways'] as const

export const readSignInWays = (): Promise<SignInWays> => get('/api/auth/sign-in-ways')

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
