import { signInAddress } from '../../../schemas/http/sign-in.ts'
import { t } from '../language/messages.ts'
import { get, Problem, post } from './http.ts'

const STORED = 'assay-workspace'

/** What somebody wrote and did not send is kept by this tab under names that begin so, and goes when they sign out. */
export const DRAFTS = 'assay-draft'

/** The workspace that this tab works in; null: the one that the service picks, the person’s first. */
export const chosenWorkspace = (): string | null => sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED)

/** Makes this tab, and those opened later, work in a workspace. */
export const chooseWorkspace = (id: string): void => {
  sessionStorage.setItem(STORED, id)
  localStorage.setItem(STORED, id)
}

export const forgetWorkspace = (): void => {
  sessionStorage.removeItem(STORED)
  localStorage.removeItem(STORED)
}

export const hasChosenWorkspace = (): boolean => chosenWorkspace() !== null

/** What every request to the app’s door carries. */
export const workspaceHeaders = (): Readonly<Record<string, string>> => {
  const id = chosenWorkspace()
  return id === null ? {} : { 'x-workspace-id': id }
}

interface Session {
  readonly user: { readonly name: string; readonly email: string; readonly emailVerified: boolean }
}

/** Who is signed in; null for nobody. */
export const readSession = (): Promise<Session | null> => get('/api/auth/get-session')

export const signIn = (fields: {
  readonly email: string
  readonly password: string
}): Promise<{
  /** Whether a second factor is asked for: nobody is signed in yet. */
  readonly twoFactorRedirect?: boolean
}> => post('/api/auth/sign-in/email', fields)

export const signUp = (fields: {
  readonly name: string
  readonly email: string
  readonly password: string
  /** The token of an invitation, where the person followed one. */
  readonly invitation?: string
}): Promise<{ readonly token: string | null }> => post('/api/auth/sign-up/email', fields)

// Several reads may find at once that the session has ended; each further navigation would abort the one under way.
let isLeaving = false

/** Loads the page anew, so that nothing read stays in memory. */
const leaveFor = (address: string): void => {
  isLeaving = true
  // A browser may show the page again as it was.
  addEventListener('pageshow', () => (isLeaving = false), { once: true })
  location.assign(address)
}

/**
 * Does what ends the session, and leaves for the address that it answers. What is read meanwhile is refused already: it
 * must not lead to a sign-in that comes back to this page.
 */
const leaveAfter = async (end: () => Promise<string>): Promise<void> => {
  isLeaving = true
  try {
    leaveFor(await end())
  } catch (error) {
    isLeaving = false
    throw error
  }
}

/** Ends the session, here and where single sign-on has one, and forgets what this browser kept for it. */
export const signOut = (): Promise<void> =>
  leaveAfter(async () => {
    const { url } = await post<{ readonly url?: string }>('/api/auth/sign-out', {})
    forgetWorkspace()
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key)
    return url ?? '/sign-in'
  })

/** The password is asked for where the account has one. */
export const deleteAccount = (fields: { readonly password?: string }): Promise<void> =>
  leaveAfter(async () => {
    await post('/api/auth/delete-user', fields)
    forgetWorkspace()
    return '/sign-in'
  })

/** Leaves for the sign-in, which comes back to where the person was. */
export const goToSignIn = (): void => {
  if (isLeaving) return
  leaveFor(signInAddress(`${location.pathname}${location.search}`))
}

/** Into the app, in place of the sign-in: the way back from there does not lead to a form again. */
export const enter = (search: string): void => location.replace(addressAfterSignIn(search))

/** Where `goToSignIn` came from; only ever an address of the app, whatever a link says. */
export const addressAfterSignIn = (search: string): string => {
  const back = new URLSearchParams(search).get('back') ?? ''
  return /^\/app(\/|\?|$)/.test(back) ? back : '/app'
}

/** The answer is the same whether anybody has the address. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  post('/api/auth/request-password-reset', { email })

export const resetPassword = async (fields: {
  readonly token: string
  readonly newPassword: string
}): Promise<unknown> => {
  try {
    return await post('/api/auth/reset-password', fields)
  } catch (error) {
    // The account library says it in two words.
    throw error instanceof Problem && error.code === 'INVALID_TOKEN'
      ? new Problem({
          code: error.code,
          detail: t(
            'This link does not work: it was used, it is older than an hour, or it is not complete. Ask for another.',
          ),
        })
      : error
  }
}
