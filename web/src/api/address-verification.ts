import { post } from './post.ts'
import { Problem } from './problem.ts'

const INVALID =
  'This link does not work: it was used, it is older than a day, or it is not complete. Ask for another under Settings → Account.'
const SAID_SHORTLY = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND', 'INVALID_USER']

/** Takes the token of a link that was sent to an address. */
export const verifyAddress = async (token: string): Promise<unknown> => {
  try {
    return await post('/api/auth/verify-email', { token })
  } catch (error) {
    // The account library says it in two words.
    throw error instanceof Problem && SAID_SHORTLY.includes(error.code)
      ? new Problem({ code: error.code, detail: INVALID })
      : error
  }
}
