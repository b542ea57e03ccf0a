import { isAssayError } from './errors.ts'

/** From the first quote to the last: what stands between is what somebody sent, which may hold quotes itself. */
const QUOTED = /["'`“”‘’«].*["'`“”‘’»]/s
const MAX_MESSAGE_CHARACTERS = 200
const MAX_CAUSES = 5
/** A line of a stack that names a place in a program, and not the message, which may have lines too. */
const PLACE = /^ {4}at [\w$.<>[\] #/]*\(?(?:file|node|async|native|wasm|\/)[^\n]*$/
/** What drivers and the system say in words of their own. */
const FACTS = ['code', 'errno', 'syscall', 'errcode', 'severity', 'constraint', 'routine', 'broker'] as const
const WORD = /^[\w.:-]{1,80}$/

/**
 * The drivers of the stores say in a message which statement failed, with which values: PostgreSQL's
 * (`invalid input syntax for type uuid: "…"`, COPY's and XML's without quotes) and ClickHouse's (`In scope SELECT …`).
 */
const isOfStore = (error: Error): boolean =>
  'severity' in error || /^(DatabaseError|ClickHouseError|error)$/.test(error.constructor.name)

interface WrittenError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly [fact: string]: unknown
}

/**
 * What the log says of an error, and of what caused it: its type, its codes, where it was thrown, and its message
 * without what that quotes; nothing of a store's message. Values that people and senders wrote do not come through.
 */
export const writtenError = (error: unknown, depth = 0): WrittenError | string => {
  if (!(error instanceof Error)) return typeof error
  const places = (error.stack ?? '').split('\n').filter(line => PLACE.test(line))
  const facts = FACTS.flatMap(name => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'number' || (typeof value === 'string' && WORD.test(value)) ? [[name, value]] : []
  })
  const message = isOfStore(error) ? 'an error of a store' : error.message.replace(QUOTED, '…')
  const cause: unknown = error.cause ?? ('errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined)
  return {
    type: isAssayError(error) ? 'AssayError' : error.constructor.name,
    message: message.slice(0, MAX_MESSAGE_CHARACTERS),
    ...Object.fromEntries(facts),
    stack: places.join('\n'),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: writtenError(cause, depth + 1) }),
  }
}
