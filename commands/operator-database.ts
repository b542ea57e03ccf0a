import { join } from 'node:path'
import { createDatabase } from '../infra/postgres/database.ts'
import { runningPostgres } from '../infra/postgres/embedded/running.ts'
import { createPool } from '../infra/postgres/pool.ts'
import type { Database } from '../infra/postgres/port.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import type { Program } from '../infra/runtime/program.ts'
import { EMBEDDED_CONFIG } from '../infra/runtime/program-config.ts'
import { STORES_CONFIG } from '../infra/stores.ts'

/** Where an operator's command finds the database of the installation. */
export const OPERATOR_CONFIG = { ...EMBEDDED_CONFIG, databaseUrl: STORES_CONFIG.databaseUrl }

/**
 * The database of DATABASE_URL, or the embedded one that an Assay on this machine has open. Rejects with `invalid_configuration`
 * when there is neither; the lifecycle closes it.
 */
export const openOperatorDatabase = async (
  { databaseUrl, dataDirectory }: ConfigOf<typeof OPERATOR_CONFIG>,
  { logger, lifecycle }: Pick<Program, 'logger' | 'lifecycle'>,
): Promise<Database> => {
  const connection = databaseUrl ?? (await runningPostgres(join(dataDirectory, 'postgres')))
  if (connection === null) {
    const message = `No Assay is running on the data directory ${dataDirectory}. Start it, or set DATA_DIR to where it keeps its data, or DATABASE_URL for an installation on a PostgreSQL of its own.`
    throw new AssayError('invalid_configuration', message)
  }
  const database = createDatabase(createPool({ connection, max: 1, logger }))
  lifecycle.onStop('the database’s pool', database.close)
  return database
}
