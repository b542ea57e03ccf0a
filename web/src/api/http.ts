import { forPeople } from '../../../schemas/domain/for-people.ts'
import { fromService, readServiceWords, t } from '../language/messages.ts'

interface Violation {
  /** A JSON pointer into the input. */
  readonly pointer: string
  readonly message: string
}

interface Facts {
  /** The service’s code of the error; `unreachable` when no answer came. */
  readonly code: string
  /** What was wrong and what to do, for a person. */
  readonly detail: string
  readonly violations?: readonly Violation[]
  /** Seconds until asking again makes sense; null when the service did not say. */
  readonly retry_after?: number | null
}

/** What the service refused or failed at (RFC 9457). Every hook of `api/` fails with it. */
export class Problem extends Error {
  readonly code: string
  readonly detail: string
  readonly violations: readonly Violation[]
  readonly retry_after: number | null

  constructor({ code, detail, violations = [], retry_after = null }: Facts) {
    super(detail)
    this.name = t('Problem')
    this.code = code
    this.detail = detail
    this.violations = violations
    this.retry_after = retry_after
  }
}

/** Whether asking again later may well succeed: a store is away, or the way to the service is. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && ['unavailable', 'busy', 'timeout', 'unreachable'].includes(error.code)

const ASK_AGAIN_MS = 5000

/**
 * In how many milliseconds a read that failed so is asked again: when the service says, else soon; false for any other.
 */
export const asksAgainIn = (error: unknown): number | false =>
  isUnavailable(error) && ((error.retry_after ?? 0) * 1000 || ASK_AGAIN_MS)

/** An answer that is no success, whoever made it: the service, the account library, or a proxy on the way. */
export const problemOf = async (response: Response): Promise<Problem> => {
  await readServiceWords()
  // Whatever came: only what is of the expected kind is taken out of it.
  const body: unknown = await response.json().catch(() => null)
  const said = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Problem({
    code: typeof said.code === 'string' ? said.code : `http_${response.status}`,
    detail: toPeople(
      textOf(said.detail) ?? textOf(said.message) ?? t('The service answered {status}.', { status: response.status }),
    ),
    // The service’s own shape, wherever it sends the field.
    violations: Array.isArray(said.violations) ? (said.violations as Violation[]).map(violationForPeople) : [],
    retry_after: Number.isFinite(wait) ? wait : null,
  })
}

/** What the service says, as a person reads it: without what it tells agents, in the person’s language. */
export const toPeople = (text: string): string => fromService(forPeople(text))

const violationForPeople = ({ pointer, message }: Violation): Violation => ({ pointer, message: toPeople(message) })

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What a person is told of an error. Of one that nobody foresaw, not more than that. */
export const messageOf = (error: unknown): string =>
  error instanceof Problem
    ? error.detail
    : t(
        'Something unexpected happened in this page. Load it anew; if it happens again, the browser’s console says more.',
      )

/** Reads JSON, which the caller knows the shape of. Rejects with a Problem. */
export const get = async <Answer>(path: string): Promise<Answer> => {
  const response = await fetch(path)
  if (!response.ok) throw await problemOf(response)
  return response.json()
}

interface Options {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** It arrives even when the page is left meanwhile. */
  readonly keepalive?: boolean
}

/** A browser refuses a longer body, in characters, to what outlives its page: 64 KiB, with what else is under way. */
const MAX_KEPT_ALIVE = 16_000

/** Posts JSON and answers the response’s JSON, which the caller knows the shape of. Rejects with a Problem. */
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

/** Whether the service has still to answer something that was posted. */
export const isAsking = (): boolean => underWay > 0

const unreachable = (error: unknown): never => {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Problem({ code: 'unreachable', detail: t('The service cannot be reached. Check your connection to it.') })
}
