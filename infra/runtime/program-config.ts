import type { ConfigSchema } from './config.ts'
import { LOG_LEVELS, type LogLevel } from './logger.ts'
import { choice, text } from './settings.ts'

/** What every program can be set to. */
export const PROGRAM_CONFIG = {
  logLevel: choice<LogLevel>({
    env: 'LOG_LEVEL',
    values: LOG_LEVELS,
    default: 'warn',
    doc: 'The least serious log lines that are written. They are JSON, on standard output.',
  }),
} satisfies ConfigSchema

/** What the embedded default can be set to besides. */
export const EMBEDDED_CONFIG = {
  dataDirectory: text({
    env: 'DATA_DIR',
    default: '.data',
    doc: 'Where the embedded log, database and analytics keep their data, and the key that seals secrets. One process at a time.',
  }),
} satisfies ConfigSchema
