import { type DestinationStream, pino } from 'pino'
import { currentTrace } from '../telemetry/spans.ts'
import { createRepeatedLines } from './repeated-lines.ts'
import { writtenError } from './written-error.ts'

export type Logger = pino.Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields with secrets, personal data or a signal's text, in whatever object they are found. */
const SENSITIVE = [
  'authorization',
  'cookie',
  'set-cookie',
  'secret',
  'password',
  'token',
  'key',
  'api_key',
  'text',
  'body',
  'actor_name',
  'actor_email',
  // PostgreSQL's errors quote the row in this field.
  'detail',
]

const paths = SENSITIVE.flatMap(name => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

export interface LoggerOptions {
  readonly level: LogLevel
  /** The program or thread, in every line as `program`. */
  readonly program: string
  /** Standard output unless given. */
  readonly destination?: DestinationStream
  /** A second destination. */
  readonly also?: DestinationStream | null
  /** Writes one line a minute for each cause of a warning or an error; otherwise every line is written. */
  readonly oncePerMinute?: boolean
}

/** Ties a line to the request that was being answered: the trace id is the request id in the answer. */
const traceOfLine = (): object => {
  const trace = currentTrace()
  return trace === null ? {} : { trace_id: trace.traceId, span_id: trace.spanId }
}

const both = (one: DestinationStream, other: DestinationStream): DestinationStream => ({
  write: line => {
    one.write(line)
    other.write(line)
  },
})

const WARN = 40
const ERROR = 50

/** Leaves out warnings and errors that repeat another line; their count is in the next line that is written. */
const withoutRepeated = () => {
  const repeatedOf = createRepeatedLines()
  return function (this: Logger, given: Parameters<pino.LogFn>, write: pino.LogFn, level: number): void {
    const [first, second]: readonly unknown[] = given
    const fields = typeof first === 'object' && first !== null ? first : {}
    const message = String(typeof first === 'string' ? first : (second ?? ''))
    const repeated = level === WARN || level === ERROR ? repeatedOf(level, message, fields) : 0
    if (repeated === null) return
    const said = fields instanceof Error ? { err: fields } : fields
    write.apply(this, repeated === 0 ? given : [{ ...said, repeated }, message])
  }
}

/**
 * Newline-delimited JSON, one event a line, with times in ISO 8601 and sensitive fields replaced by `[redacted]`. An
 * error is written as far as `writtenError` allows.
 */
export const createLogger = (options: LoggerOptions): Logger => {
  const { level, program, destination, also = null, oncePerMinute = false } = options
  const output = destination ?? pino.destination({ dest: 1, sync: true })
  return pino(
    {
      level,
      base: { program },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
      serializers: { err: writtenError },
      mixin: traceOfLine,
      ...(oncePerMinute && { hooks: { logMethod: withoutRepeated() } }),
    },
    also === null ? output : both(output, also),
  )
}
