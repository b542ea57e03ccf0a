import { type DestinationStream, pino } from 'pino'
import { currentTrace } from '../telemetry/spans.ts'
import { writtenError } from './written-error.ts'

export type Logger = pino.Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields that carry secrets, personal data or a signal's words, whatever object they are found in. */
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
  // PostgreSQL's errors quote the row there.
  'detail',
]

const paths = SENSITIVE.flatMap(name => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

export interface LoggerOptions {
  readonly level: LogLevel
  /** Which program or thread speaks; in every line as `program`. */
  readonly program: string
  /** Where lines go; standard output unless told. */
  readonly destination?: DestinationStream
  /** Where they go besides. */
  readonly also?: DestinationStream | null
}

/** What was said while a request was answered says which: the request id of its answer is the trace's id. */
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

/**
 * Structured JSON lines (newline-delimited), one event each, with times in ISO 8601 and sensitive fields replaced by
 * `[redacted]`. Of an error only what `writtenError` lets through is written.
 */
export const createLogger = ({ level, program, destination, also = null }: LoggerOptions): Logger => {
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
    },
    also === null ? output : both(output, also),
  )
}
