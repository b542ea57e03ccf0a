/**
 * The kind of an error, in terms that each boundary translates: HTTP statuses, JSON-RPC errors, a step's outcome.
 * `unavailable`: a dependency as a whole is away. `timeout`, `busy`: one call that may succeed when repeated.
 * `too_costly`: work that exceeded its CPU budget and was ended. `damaged`: a disk, a directory or a file that somebody
 * must repair.
 */
export type ErrorCode =
  | 'invalid_configuration'
  | 'invalid_input'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'ambiguous'
  | 'conflict'
  | 'quota_exceeded'
  | 'too_large'
  | 'too_costly'
  | 'unsupported'
  | 'method_not_allowed'
  | 'rate_limited'
  | 'unavailable'
  | 'busy'
  | 'timeout'
  | 'partition_lost'
  | 'already_running'
  | 'damaged'
  | 'internal'

const RETRIABLE: ReadonlySet<ErrorCode> = new Set(['unavailable', 'busy', 'timeout', 'rate_limited', 'partition_lost'])

/** One fault of an input: where (JSON pointer, RFC 6901) and what is allowed there. */
export interface Violation {
  readonly pointer: string
  readonly message: string
}

interface ErrorDetails {
  readonly cause?: unknown
  readonly violations?: readonly Violation[]
  /** Overrides what the code implies about retries. */
  readonly retriable?: boolean
  readonly retryAfterSeconds?: number
  /** Facts that the caller needs: the state of an object, the candidates of an ambiguous name. Leaves the process. */
  readonly context?: Readonly<Record<string, unknown>>
}

/**
 * The only error type of our own. `code`, `publicMessage`, `violations` and `context` leave the process; `cause` goes
 * to the log alone.
 */
export class AssayError extends Error {
  readonly code: ErrorCode
  readonly retriable: boolean
  readonly publicMessage: string
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | null
  readonly context: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'AssayError'
    this.code = code
    this.publicMessage = publicMessage
    this.retriable = details.retriable ?? RETRIABLE.has(code)
    this.violations = details.violations ?? []
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.context = details.context ?? {}
  }
}

export const isAssayError = (error: unknown): error is AssayError => error instanceof AssayError

/** The code of an error from Node, a driver or a library, such as `ENOENT`; undefined when there is none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

/** The result of work on a file or folder; null when the file or folder does not exist. */
export const nullWhereMissing = async <Value>(work: Promise<Value>): Promise<Value | null> => {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Any error as an `AssayError`. An unforeseen error becomes `internal`, and its details stay out of the public message.
 */
export const asAssayError = (error: unknown): AssayError =>
  isAssayError(error) ? error : new AssayError('internal', 'An unexpected error occurred.', { cause: error })

/** The error for a body that ended early: the sender or the connection broke off. */
export const brokenOff = (cause?: unknown): AssayError =>
  new AssayError('invalid_input', 'The body broke off before it was complete. Send it again.', { cause })

/** Fields that drivers keep beside the message. */
interface Details {
  readonly type?: unknown
  readonly retriable?: unknown
  readonly syscall?: unknown
  readonly broker?: unknown
}

/** An error and its causes, outermost first; for an `AggregateError` the first of its errors. */
export function* causesOf(error: unknown): Generator<Error & Details> {
  for (let at = error; at instanceof Error; at = at.cause ?? firstOf(at)) yield at
}

const firstOf = (error: Error): unknown =>
  'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined

const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/**
 * The operating system's message for a connection that failed, such as `connect ECONNREFUSED 10.0.0.7:5432`; null for
 * any other error. The message holds addresses: only for the log and for the operator at a start.
 */
export const connectionFailure = (error: unknown): string | null => {
  for (const { syscall, broker, message } of causesOf(error)) {
    if (CONNECTING.has(syscall)) return message
    // kafkajs keeps the operating system's message and adds the broker.
    if (typeof broker === 'string') return message.includes(broker) ? message : `${message} (${broker})`
  }
  return null
}

/** The public sentence of a transient error, and the operating system's message where a connection failed. */
export const reasonOf = (error: unknown): { readonly reason: string; readonly cause?: string } => {
  const cause = connectionFailure(error)
  return { reason: asAssayError(error).publicMessage, ...(cause !== null && { cause }) }
}

/** Log fields of an error: the sentence alone for a transient error, else the whole error. */
export const logged = (error: unknown): ReturnType<typeof reasonOf> | { readonly err: unknown } =>
  asAssayError(error).retriable ? reasonOf(error) : { err: error }

/** Reasons for a failed disk access, by Node's code and by SQLite's (https://www.sqlite.org/rescode.html). */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room on it',
  EDQUOT: 'the disk quota of this user is used up. Make room',
  EROFS: 'the disk can only be read. Mount it for writing',
  EACCES: 'this user may not read or write there. Give it to the user that Assay runs as',
  EPERM: 'this user may not read or write there. Give it to the user that Assay runs as',
  EIO: 'the disk does not answer as it should. Look at the system’s log, and restore the data directory from a backup',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a folder, and no file. Restore the data directory from a backup, or name a file',
  ENOTDIR: 'a part of its path is a file, and no directory',
  EMFILE: 'too many files are open. Raise the limit of this process (ulimit -n)',
}

const SQLITE_REASONS: Readonly<Record<number, string | undefined>> = {
  3: REASONS.EACCES,
  8: 'it can only be read. Mount the disk for writing, or give it to the user that Assay runs as',
  10: REASONS.EIO,
  13: REASONS.ENOSPC,
  14: REASONS.EACCES,
}

const sqliteReason = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN
  // The low byte is the class, the rest its details.
  return SQLITE_REASONS[code & 0xff]
}

/** Why a disk access failed, as the end of a sentence; undefined for an error that is not about storage. */
export const storageReason = (error: unknown): string | undefined =>
  REASONS[String(codeOf(error))] ?? sqliteReason(error)

/**
 * The error for a file or directory that cannot be used. `otherwise` is the reason when the system gives none, which
 * means that the file itself is at fault.
 */
export const storageError = (
  error: unknown,
  path: string,
  otherwise = 'it is damaged. Restore the data directory from a backup',
): AssayError => {
  const reason = storageReason(error) ?? otherwise
  return new AssayError('damaged', `${path} cannot be used: ${reason}.`, { cause: error })
}
