import { isAssayError } from '../../infra/runtime/errors.ts'

/**
 * What a throw means. `wait`: a dependency is away as a whole, so nothing moves until it is back. `retry`: one call
 * failed that may succeed when repeated. `data`: it will fail again for the same records.
 */
interface ErrorClass {
  readonly kind: 'wait' | 'retry' | 'data'
  /** A SQLSTATE, an AssayError's code, a system error's code, or else the error's class. */
  readonly errorClass: string
  /** Safe to show: an error that nobody foresaw may quote the record, so nothing of its own text is in here. */
  readonly message: string
  /** How long the dependency asked to be left alone, in milliseconds; 0 when it did not say. */
  readonly retryAfterMs: number
}

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/
/** Lost connections, rolled back transactions, resources used up, operators and I/O: never the fault of a value. */
const SQLSTATE_TRANSIENT = /^(08|40|53|57|58)/

/** What Node says when the other side of a connection was not reached, or hung up. */
const SYSTEM_TRANSIENT = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'AbortError',
  'TimeoutError',
])

const DEEPEST_CAUSE = 8

/** The codes, or else names, of an error and of what caused it, outermost first. Our own codes are not among them. */
const foreignCodes = (error: unknown): readonly string[] => {
  const codes: string[] = []
  let current = error
  for (let depth = 0; depth < DEEPEST_CAUSE && current instanceof Error; depth++) {
    if (!isAssayError(current)) {
      codes.push('code' in current && typeof current.code === 'string' ? current.code : current.name)
    }
    current = current.cause
  }
  return codes
}

export const classifyThrown = (error: unknown): ErrorClass => ({
  ...meaningOf(error),
  retryAfterMs: isAssayError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0,
})

const meaningOf = (error: unknown): Omit<ErrorClass, 'retryAfterMs'> => {
  const codes = foreignCodes(error)
  const system = codes.find(code => SYSTEM_TRANSIENT.has(code))
  const sqlState = system === undefined ? codes.find(code => SQLSTATE.test(code)) : undefined

  if (isAssayError(error)) {
    const errorClass = sqlState ?? error.code
    if (error.code === 'unavailable') return { kind: 'wait', errorClass, message: error.publicMessage }
    if (error.retriable) return { kind: 'retry', errorClass, message: error.publicMessage }
  }
  if (sqlState !== undefined) {
    const kind = SQLSTATE_TRANSIENT.test(sqlState) ? 'retry' : 'data'
    return { kind, errorClass: sqlState, message: `The database refused it (SQLSTATE ${sqlState}).` }
  }
  if (isAssayError(error)) return { kind: 'data', errorClass: error.code, message: error.publicMessage }
  if (system !== undefined) {
    return { kind: 'retry', errorClass: system, message: `A call to another service failed (${system}).` }
  }
  const errorClass = error instanceof Error ? error.name : typeof error
  return { kind: 'data', errorClass, message: `The step failed in a way that nobody foresaw (${errorClass}).` }
}

/** Where an error was thrown, without its text: that may quote the record, and a record may hold personal data. */
export const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter(line => /^\s+at /.test(line))
        .map(line => line.trim())
    : []

/**
 * What bisecting does with an error: find the items that cause it by halves, or one by one, or give it up to the
 * caller.
 */
export type BisectStrategy = 'items' | 'each' | 'batch'

/**
 * Runs `work` over `items`; when it fails for a reason that lies in the items, over each half, down to the single items
 * that cannot succeed, which go to `onCulprit`. Where a failure is dear, `each` tries every item alone at once: all
 * fail but once more. An error that lies in the batch as a whole goes to `onBatch`, for the part it hit. `work` must
 * bear being run again for the same items.
 */
export const bisect = async <Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<void>,
  blame: (error: unknown) => BisectStrategy,
  onCulprit: (item: Item, error: unknown) => void,
  onBatch: (part: readonly Item[], error: unknown) => void,
): Promise<void> => {
  const [only] = items
  if (only === undefined) return
  try {
    await work(items)
  } catch (error) {
    const blamed = blame(error)
    if (blamed === 'batch') return onBatch(items, error)
    if (items.length === 1) return onCulprit(only, error)
    if (blamed === 'each') {
      for (const item of items) await bisect([item], work, blame, onCulprit, onBatch)
      return
    }
    const middle = Math.ceil(items.length / 2)
    await bisect(items.slice(0, middle), work, blame, onCulprit, onBatch)
    await bisect(items.slice(middle), work, blame, onCulprit, onBatch)
  }
}

/**
 * Writes the items together; one that can never be stored, such as one of a workspace that was deleted, goes to
 * `onUnstorable` and does not keep the others out. Rejects when the store is away. `write` must bear being run again
 * for the same items.
 */
export const storeEach = async <Item>(
  items: readonly Item[],
  write: (part: readonly Item[]) => Promise<void>,
  onUnstorable: (item: Item, errorClass: string) => void,
): Promise<void> => {
  let failure: unknown = null
  await bisect(
    items,
    write,
    error => (classifyThrown(error).kind === 'data' ? 'items' : 'batch'),
    (item, error) => onUnstorable(item, classifyThrown(error).errorClass),
    (_part, error) => {
      failure = error
    },
  )
  if (failure !== null) throw failure
}
