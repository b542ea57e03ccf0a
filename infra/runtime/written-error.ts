import { isAssayError } from './errors.ts'

const QUOTE = /["'`“”‘’«»]/g
const MAX_MESSAGE_CHARACTERS = 200
const MAX_CAUSES = 5
/** The beginning of a stack line that names a place: a function, or directly a file. */
const FUNCTION_OR_FILE = /^ {4}at [\w$.<>[\] #/]*\(?/
const PROGRAM = /file|node|async|native|wasm|\//
const BEGINS_WITH_PROGRAM = /^(?:file|node|async|native|wasm|\/)/
/** Facts in the words of drivers and of the operating system. */
const FACTS = ['code', 'errno', 'syscall', 'errcode', 'severity', 'constraint', 'routine', 'broker'] as const
const WORD = /^[\w.:-]{1,80}$/

/**
 * True for an error of a store's driver, whose message quotes the failed statement with its values: PostgreSQL's
 * (`invalid input syntax for type uuid: "…"`; COPY and XML quote nothing) and ClickHouse's (`In scope SELECT …`).
 */
const isOfStore = (error: Error): boolean =>
  'severity' in error || /^(DatabaseError|ClickHouseError|error)$/.test(error.constructor.name)

interface WrittenError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly [fact: string]: unknown
}

/** True when a line of a stack names a place in a program. The other lines are lines of the message. */
const isPlace = (line: string): boolean => {
  const begin = FUNCTION_OR_FILE.exec(line)?.[0]
  if (begin === undefined) return false
  return PROGRAM.test(begin) || BEGINS_WITH_PROGRAM.test(line.slice(begin.length))
}

/** Cuts from the first quote to the last: a sender's text stands there, and may hold quotes itself. */
const withoutQuoted = (message: string): string => {
  const quotes = [...message.matchAll(QUOTE)]
  const [first, last] = [quotes[0]?.index ?? 0, quotes.at(-1)?.index ?? 0]
  return first === last ? message : `${message.slice(0, first)}…${message.slice(last + 1)}`
}

/**
 * An error and its causes as the log shows them: type, codes, stack, and the message without quoted parts. A store's
 * message is left out. Values that people or senders wrote never reach the log.
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
