import { get } from './get.ts'
import { post } from './post.ts'
import { Problem } from './problem.ts'

/** How somebody who forgot their password gets a link: by mail, or from an administrator. */
export const readPasswordReset = (): Promise<{ readonly by: 'mail' | 'administrator' }> =>
  get('/api/auth/password-reset')

/** The answer is the same whether anybody has the address. */
export const requestPasswordReset = (email: string): Promise<unknown> =>
  post('/api/auth/request-password-reset', { email })

const INVALID =
  'This link does not work: it was used, it is older than an hour, or it is not complete. Ask for another.'

export const resetPassword = async (fields: {
  readonly token: string
  readonly newPassword: string
}): Promise<unknown> => {
  try {
    return await post('/api/auth/reset-password', fields)
  } catch (error) {
    // The account library says it in two words.
    throw error instanceof Problem && error.code === 'INVALID_TOKEN'
      ? new Problem({ code: error.code, detail: INVALID })
      : error
  }
}
