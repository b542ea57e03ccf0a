import { AssayError } from '../../infra/runtime/errors.ts'

const MAX_LENGTH = 1000
/** White space, control and invisible characters, and what browsers read as a slash: they make an address look like another. */
const DISGUISE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u

/**
 * The address of a web page in the form of the URL standard, international names as Punycode. Throws `invalid_input` for anything but `https:` and
 * `http:`, for one that carries a user name or password, and for one that is disguised or longer than 1,000 characters. Nothing is fetched.
 */
export const webLink = (given: string): string => {
  const text = given.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:\/\//i.test(text))
    throw refused('must be the address of a web page: https:// or http://')
  if (DISGUISE.test(text)) throw refused('must hold no white space, backslashes or invisible characters')
  if (url.username !== '' || url.password !== '') throw refused('must hold no user name or password')
  if (url.href.length > MAX_LENGTH) throw refused(`must be at most ${MAX_LENGTH} characters long`)
  return url.href
}

const refused = (message: string): AssayError =>
  new AssayError('invalid_input', `The url ${message}. Nothing was written.`, {
    violations: [{ pointer: '/url', message }],
  })
