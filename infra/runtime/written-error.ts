import { isAssayError } from './errors.ts'

const QUOTE = /["'`“”‘’«»]/g
const MAX_MESSAGE_CHARACTERS = 200
const MAX_CAUSES = 5
/** How a line of a stack begins that names a place: by a function, or at once by a file. */
const FUNCTION_OR_FILE = /^ {4}at [\w$.<>[\] #/]*\(?/
const PROGRAM = /file|node|async|native|wasm|\//
const BEGINS_WITH_PROGRAM = /^(?:file|node|async|native|wasm|\/)/
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

/** Whether a line of a stack names a place in a program, and is not of the message, which may have lines too. */
const isPlace = (line: string): boolean => {
  const begin = FUNCTION_OR_FILE.exec(line)?.[0]
  if (begin === undefined) return false
  return PROGRAM.test(begin) || BEGINS_WITH_PROGRAM.test(line.slice(begin.length))
}

/** Without what stands from the first quote to the last: somebody sent it, and it may hold quotes itself. */
const withoutQuoted = (message: string): string => {
  const quotes = [...message.matchAll(QUOTE)]
  const [first, last] = [quotes[0]?.index ?? 0, quotes.at(-1)?.index ?? 0]
  return first === last ? message : `${message.slice(0, first)}…${message.slice(last + 1)}`
}

/**
 * What the log says of an error, and of what caused it: its type, its codes, where it was thrown, and its message
 * without what that quotes; nothing of a store's message. Values that people and senders wrote do not come through.
 */
export const writtenError = (error: unknown, depth = 0): WrittenError | string => {
  if (!(error instanceof Error)) return typeof error
  const places = (error.stack ?? '').split('\n').filter(isPlace)
  const facts = FACTS.flatMap(name => {
    const value: unknown = Reflect.get(error, name)
    return typeof value === 'number' || (typeof value === 'string' && WORD.test(value)) ? [[name, value]] : []
  })
  const message = isOfStore(error) ? 'an error of a store' : withoutQuoted(error.message)
  const cause: unknown = error.cause ?? ('errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined)
  return {
    type: isAssayError(error) ? 'AssayError' : error.constructor.name,
    message: message.slice(0, MAX_MESSAGE_CHARACTERS),
    ...Object.fromEntries(facts),
    stack: places.join('\n'),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: writtenError(cause, depth + 1) }),
  }
}
