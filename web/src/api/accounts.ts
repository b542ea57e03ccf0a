import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { PERSON_HEADER } from '../../../schemas/http/headers.ts'
import { signInAddress } from '../../../schemas/http/sign-in.ts'
import { isInApp, LAST_WORKSPACE } from '../../../schemas/http/workspace-address.ts'
import { t } from '../language/messages.ts'
import { shownWorkspace } from './addresses.ts'
import { get, isSignedOut, Problem, post } from './http.ts'

const STORED = 'assay-workspace'

/** Storage key of the tab's person; absent when nobody is known to be signed in. */
const PERSON = 'assay-person'

// The page keeps its person while it is being left: what is sent until then must not be done as the next person.
let person: string | undefined

/** Id of the page's person; empty before it is known. Drafts are stored under the id. */
export const knownPerson = (): string => (person ??= sessionStorage.getItem(PERSON) ?? '')

/** Stores the person of the page and of its tab. Answers false when the person was known. */
export const knowPerson = (id: string): boolean => {
  if (knownPerson() === id) return false
  person = id
  sessionStorage.setItem(PERSON, id)
  return true
}

/** Beginning of the storage keys of unsent drafts in this tab. */
export const DRAFTS = 'assay-draft'

/**
 * The tab's workspace by slug or id: from the address, or the last one chosen in the tab. Null when the service chooses
 * the person's last one.
 */
export const chosenWorkspace = (): string | null => shownWorkspace() ?? sessionStorage.getItem(STORED)

/** Addresses without a workspace lead the tab to this one from then on. */
export const chooseWorkspace = (name: string): void => sessionStorage.setItem(STORED, name)

export const forgetWorkspace = (): void => sessionStorage.removeItem(STORED)

/** Once the tab's person is known, nothing is done as anybody else, nor to anybody else's account. */
export const personHeader = (): Readonly<Record<string, string>> =>
  knownPerson() === '' ? {} : { [PERSON_HEADER]: knownPerson() }

/** Headers of every request to the app's door. */
export const workspaceHeaders = (workspace = chosenWorkspace()) => ({
  'x-workspace-id': workspace ?? LAST_WORKSPACE,
  ...personHeader(),
})

/** Facts of an invitation's link. */
interface Invitation {
  readonly workspace_name: string
  readonly role: MemberRole
  readonly invited_by_name: string
  /** The person's present role in the workspace; null without one. */
  readonly present_role: MemberRole | null
}

/** Answers everybody with the link's token, signed in or not. */
export const readInvitation = (token: string): Promise<Invitation> => post('/api/auth/invitation', { token })

interface Session {
  readonly user: { readonly name: string; readonly email: string; readonly emailVerified: boolean }
}

/** The session; null without one. */
export const readSession = (): Promise<Session | null> => get('/api/auth/get-session')

export const signIn = (fields: {
  readonly email: string
  readonly password: string
}): Promise<{
  /** True when a second factor is required; nobody is signed in yet. */
  readonly twoFactorRedirect?: boolean
}> => post('/api/auth/sign-in/email', fields)

export const signUp = (fields: {
  readonly name: string
  readonly email: string
  readonly password: string
  /** Token of an invitation that the person followed. */
  readonly invitation?: string
}): Promise<{ readonly token: string | null }> => post('/api/auth/sign-up/email', fields)

// Several reads may find the ended session at the same time; another navigation would abort the first one.
let isLeaving = false

/**
 * Reloads the page, so that no data stays in memory. Another person may sign in next, so the next page shows no drafts
 * until its person is known.
 */
const leaveFor = (address: string): void => {
  isLeaving = true
  sessionStorage.removeItem(PERSON)
  // A browser may restore the page from its cache.
  addEventListener('pageshow', () => (isLeaving = false), { once: true })
  location.assign(address)
}

/**
 * Ends the session with `end`, then goes to the address that `end` answers. Reads that fail meanwhile must not lead to
 * a sign-in that returns to this page.
 */
const leaveAfter = async (end: () => Promise<string>): Promise<void> => {
  isLeaving = true
  try {
    leaveFor(await end())
  } catch (error) {
    isLeaving = false
    if (isSignedOut(error)) goToSignIn()
    throw error
  }
}

/**
 * Ends the session, here and at the single sign-on issuer. Drafts stay in this tab for the same person. The next
 * sign-in leads to `back`.
 */
export const signOut = (back = '/app'): Promise<void> =>
  leaveAfter(async () => {
    const { url } = await post<{ readonly url?: string }>('/api/auth/sign-out', {}, { headers: personHeader() })
    forgetWorkspace()
    return url ?? signInAddress(back)
  })

/** The password is required when the account has one. */
export const deleteAccount = (fields: { readonly password?: string }): Promise<void> =>
  leaveAfter(async () => {
    await post('/api/auth/delete-user', fields, { headers: personHeader() })
    forgetWorkspace()
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key)
    return '/sign-in'
  })

/** Goes to the sign-in, which returns to the present page. */
export const goToSignIn = (): void => {
  if (isLeaving) return
  leaveFor(signInAddress(`${location.pathname}${location.search}`))
}

/** Replaces the sign-in by the app, so that Back does not lead to a form. */
export const enter = (search: string): void => location.replace(addressAfterSignIn(search))

/** The page from which `goToSignIn` came; always an address of the app, whatever the link contains. */
export const addressAfterSignIn = (search: string): string => {
  const back = new URLSearchParams(search).get('back') ?? ''
  return isInApp(back) ? back : '/app'
}

/** The answer is the same for an unknown address. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  post('/api/auth/request-password-reset', { email })

export const resetPassword = async (fields: {
  readonly token: string
  readonly newPassword: string
}): Promise<unknown> => {
  try {
    return await post('/api/auth/reset-password', fields)
  } catch (error) {
    // The account library's message has only two words.
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
