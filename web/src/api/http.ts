import { forPeople } from '../../../schemas/domain/for-people.ts'
import { fromService, readServiceWords, t } from '../language/messages.ts'

interface Violation {
  /** A JSON pointer into the input. */
  readonly pointer: string
  readonly message: string
}

interface Facts {
  /** The service's error code; `unreachable` when no answer came. */
  readonly code: string
  /** The fault and the remedy, for a person. */
  readonly detail: string
  readonly violations?: readonly Violation[]
  /** Seconds until a repetition makes sense; null when the service gave none. */
  readonly retry_after?: number | null
  /** True when another person has changed the object meanwhile. */
  readonly isStale?: boolean
}

/** A refusal or failure of the service (RFC 9457). Every hook of `api/` fails with a Problem. */
export class Problem extends Error {
  readonly code: string
  readonly detail: string
  readonly violations: readonly Violation[]
  readonly retry_after: number | null
  readonly isStale: boolean

  constructor({ code, detail, violations = [], retry_after = null, isStale = false }: Facts) {
    super(detail)
    this.name = t('Problem')
    this.code = code
    this.detail = detail
    this.violations = violations
    this.retry_after = retry_after
    this.isStale = isStale
  }
}

/** True when a repetition may succeed later: a store or the service is unavailable. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && ['unavailable', 'busy', 'timeout', 'unreachable'].includes(error.code)

/** True when a failed write may have been done, because its answer was lost. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof Problem && /^(unreachable|timeout|http_50[0234])$/.test(error.code)

/** True when nobody is signed in, or somebody else than the page's person is. */
export const isSignedOut = (error: unknown): boolean => error instanceof Problem && error.code === 'unauthorized'

const SAVED_BEFORE = 'saved_before'

/** Refuses to call a change done that an earlier call made, whose answer was lost. */
export const savedBefore = (): Problem =>
  new Problem({
    code: SAVED_BEFORE,
    detail: t(
      'This was done before; only the answer was lost. Look at how it is by now, and do it again if it is still wanted.',
    ),
  })

/** True when another text of the same draft was saved before, under the draft's idempotency key. */
export const isSavedBefore = (error: unknown): boolean => error instanceof Problem && error.code === SAVED_BEFORE

const ASK_AGAIN_MS = 5000

/** Milliseconds until a failed read is repeated: the service's time, else a short one; false for errors that stay. */
export const asksAgainIn = (error: unknown): number | false =>
  isUnavailable(error) && ((error.retry_after ?? 0) * 1000 || ASK_AGAIN_MS)

/** A failed response as a Problem, whether the service, the account library, or a proxy made it. */
export const problemOf = async (response: Response): Promise<Problem> => {
  await readServiceWords()
  // Only fields of the expected type are read from the body.
  const body: unknown = await response.json().catch(() => null)
  const said = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (said.is_first_answered === true) {
    const detail = t(
      'What you sent before was saved; only the answer was lost. Look at what was saved, then send this or discard it.',
    )
    return new Problem({ code: SAVED_BEFORE, detail })
  }
  return new Problem({
    code: typeof said.code === 'string' ? said.code : `http_${response.status}`,
    detail: toPeople(
      textOf(said.detail) ?? textOf(said.message) ?? t('The service answered {status}.', { status: response.status }),
    ),
    // The service sends this shape wherever it sends the field.
    violations: Array.isArray(said.violations) ? (said.violations as Violation[]).map(violationForPeople) : [],
    retry_after: Number.isFinite(wait) ? wait : null,
    isStale: said.code === 'conflict' && typeof said.current === 'object',
  })
}

/** Refusal of a call's arguments, with its operation and pointers; people read about the fields instead. */
const OF_ARGUMENTS = /^The arguments of \S+ do not fit: .*$/s

/** The service's text for people: without hints for agents, in the person's language. */
export const toPeople = (text: string): string =>
  fromService(forPeople(text.replace(OF_ARGUMENTS, 'Some of what you entered does not fit.')))

const violationForPeople = ({ pointer, message }: Violation): Violation => ({ pointer, message: toPeople(message) })

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** An error's message for people; a general one for an unexpected error. */
export const messageOf = (error: unknown): string =>
  error instanceof Problem
    ? error.detail
    : t(
        'Something unexpected happened in this page. Load it anew; if it happens again, the browser’s console says more.',
      )

/** Reads JSON of a type that the caller knows. Rejects with a Problem. */
export const get = async <Answer>(path: string, { headers = {} }: Pick<Options, 'headers'> = {}): Promise<Answer> => {
  const response = await fetch(path, { headers })
  if (!response.ok) throw await problemOf(response)
  return response.json()
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The request completes even when the page is left. */
  readonly keepalive?: boolean
}

/** Characters of a body: browsers limit bodies that outlive their page to 64 KiB together. */
const MAX_KEPT_ALIVE = 16_000

/** Posts JSON and answers JSON of a type that the caller knows. Rejects with a Problem. */
export const post = async <Answer>(
  path: string,
  body: object,
  { headers, signal, keepalive = false }: Options = {},
): Promise<Answer> => {
  const sent = JSON.stringify(body)
  underWay += 1
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
      ...(signal && { signal }),
      ...(keepalive && sent.length <= MAX_KEPT_ALIVE && { keepalive }),
    }).catch(unreachable)
    if (!response.ok) throw await problemOf(response)
    return await response.json()
  } finally {
    underWay -= 1
  }
}

let underWay = 0

/** True while a posted request has no answer yet. */
export const isAsking = (): boolean => underWay > 0

const unreachable = (error: unknown): never => {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Problem({ code: 'unreachable', detail: t('The service cannot be reached. Check your connection to it.') })
}
