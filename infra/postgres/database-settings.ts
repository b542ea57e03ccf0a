import type pg from 'pg'
import { AssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'

const BETTER = "create database <name> template template0 encoding 'UTF8' lc_ctype 'C.UTF-8'"

/**
 * What a database is created with and cannot change later. Rejects with `unsupported` for an encoding that cannot hold every text;
 * where only the letters of English have a case, the log says what the search will miss.
 */
export const checkDatabaseSettings = async (client: pg.PoolClient, logger: Logger): Promise<void> => {
  const { rows: encodings } = await client.query<{ encoding: string }>('select getdatabaseencoding() as encoding')
  const encoding = encodings[0]?.encoding
  if (encoding !== 'UTF8')
    throw new AssayError('unsupported', `The database has the encoding ${encoding}. Create one with UTF8: ${BETTER}.`)
  const { rows: cases } = await client.query<{ folds: boolean }>('select lower($1) = $2 as folds', ['Ü', 'ü'])
  if (cases[0]?.folds !== true)
    logger.warn(
      `the database knows upper and lower case of English letters only (LC_CTYPE "C"): the search will miss other words in another case. Better: ${BETTER}`,
    )
}
