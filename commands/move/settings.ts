import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { CLICKHOUSE_CONFIG } from '../../infra/clickhouse/config.ts'
import { TABLES_CONFIG } from '../../infra/clickhouse/table-form.ts'
import { KAFKA_CONFIG } from '../../infra/log/config.ts'
import { POSTGRES_CONFIG } from '../../infra/postgres/pool.ts'
import { type ConfigOf, parseConfig } from '../../infra/runtime/config.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { mistypedSettings } from '../../infra/runtime/mistyped.ts'
import { EMBEDDED_CONFIG, KEY_CONFIG, PROGRAM_CONFIG } from '../../infra/runtime/program-config.ts'
import { optional, text } from '../../infra/runtime/settings.ts'
import { PROCESSORS_CONFIG } from '../../processors/config.ts'

export const MOVE_ARGUMENTS = {
  moveTo: optional(
    text({
      env: '--to <file>',
      formerly: /^MOVE_TO$/,
      doc: 'The file with the settings of the engines to move to, as in `.env`.',
    }),
  ),
  moveFrom: optional(
    text({
      env: '--from <file>',
      formerly: /^MOVE_FROM$/,
      doc: 'The file with the settings of the engines to move from.',
    }),
  ),
}

export const MOVE_CONFIG = {
  logLevel: PROGRAM_CONFIG.logLevel,
  ...EMBEDDED_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  ...PROCESSORS_CONFIG,
}

export type MoveConfig = ConfigOf<typeof MOVE_CONFIG & typeof MOVE_ARGUMENTS>

const ENGINES_CONFIG = {
  ...KAFKA_CONFIG,
  ...POSTGRES_CONFIG,
  ...CLICKHOUSE_CONFIG,
  ...TABLES_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
}

export type EnginesConfig = ConfigOf<typeof ENGINES_CONFIG>

/** The direction and the file of settings. Throws `invalid_configuration` unless exactly one direction is given. */
export const directionOf = ({ moveTo, moveFrom }: MoveConfig): { readonly away: boolean; readonly file: string } => {
  if (moveTo !== null && moveFrom === null) return { away: true, file: moveTo }
  if (moveFrom !== null && moveTo === null) return { away: false, file: moveFrom }
  throw new AssayError(
    'invalid_configuration',
    'Say which way: --to <file> moves the installation of DATA_DIR to the engines whose settings are in the file, --from <file> moves it back into a new DATA_DIR.',
  )
}

/** Reads engines' settings from a file of variables. Throws `invalid_configuration`, naming the faults. */
export const readEngines = (file: string): EnginesConfig => {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    throw new AssayError(
      'invalid_configuration',
      `${file} cannot be read. It is to hold KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL and CLICKHOUSE_URL, a line each.`,
      {
        cause: error,
      },
    )
  }
  const given = parseEnv(content)
  for (const sentence of mistypedSettings(ENGINES_CONFIG, given)) process.stderr.write(`${file}: ${sentence}\n`)
  return parseConfig(ENGINES_CONFIG, given)
}
