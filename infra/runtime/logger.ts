import { type DestinationStream, pino } from 'pino'

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
}

/** Structured JSON lines (newline-delimited), one event each, with times in ISO 8601 and sensitive fields replaced by `[redacted]`. */
export const createLogger = ({ level, program, destination }: LoggerOptions): Logger =>
  pino(
    {
      level,
      base: { program },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
