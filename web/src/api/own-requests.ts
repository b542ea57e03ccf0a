import { personHeader } from './accounts.ts'
import { get, isSignedOut, post } from './http.ts'
import { call } from './operations.ts'

/**
 * Asks about the account of the page's person. Where somebody else has signed in in this browser since, nothing is
 * done, and the page goes to the sign-in as after any other read.
 */
const ofOwnAccount = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
  try {
    return await asked
  } catch (error) {
    // A passkey that was not accepted is answered by the same code.
    if (isSignedOut(error)) void call('list_workspaces', {}).catch(() => {})
    throw error
  }
}

/** Reads a list of the person's own account. Rejects with a Problem. */
export const getOwn = <Answer>(path: string): Promise<Answer> =>
  ofOwnAccount(get<Answer>(`/api/auth/${path}`, { headers: personHeader() }))

/** Changes the person's own account. Rejects with a Problem. */
export const postOwn = <Answer>(path: string, fields: object): Promise<Answer> =>
  ofOwnAccount(post<Answer>(`/api/auth/${path}`, fields, { headers: personHeader() }))
