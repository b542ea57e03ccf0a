import { isAssayError } from '../../infra/runtime/errors.ts'

/**
 * Meaning of an error. `wait`: a dependency is away, so nothing moves until it is back. `retry`: one call failed and
 * may succeed later. `data`: it will fail again for the same records.
 */
interface ErrorClass {
  readonly kind: 'wait' | 'retry' | 'data'
  /** A SQLSTATE, an AssayError's code, a system error's code, or else the error's name. */
  readonly errorClass: string
  /** Safe to show: an unforeseen error may quote the record, so its own text is left out. */
  readonly message: string
  /** Pause that the dependency asked for, ms; 0 without one. */
  readonly retryAfterMs: number
}

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/
/**
 * Lost connections, rolled back transactions, lack of resources, operator intervention and I/O: never caused by a
 * value.
 */
const SQLSTATE_TRANSIENT = /^(08|40|53|57|58)/

/** Node's codes for a connection that failed or was closed by the peer. */
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

/** Codes, or else names, of an error and its causes, outermost first, without our own codes. */
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

/** Stack frames of an error without its message: the message may quote personal data. */
export const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter(line => /^\s+at /.test(line))
        .map(line => line.trim())
    : []

/** How `bisect` treats an error: halve the items, try each alone, or give the whole part to the caller. */
export type BisectStrategy = 'items' | 'each' | 'batch'

/**
 * Runs `work` over `items`. An error caused by items makes `work` run over each half, down to single items, which go to
 * `onCulprit`. `each` tries every item alone at once, for failures that are expensive to repeat. An error of the whole
 * batch goes to `onBatch` with the part that it hit. `work` must be safe to run twice for the same items.
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
 * Writes the items together. An item that can never be stored, such as one of a deleted workspace, goes to
 * `onUnstorable` and does not block the others. Rejects when the store is away. `write` must be safe to run twice for
 * the same items.
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
