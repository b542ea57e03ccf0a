import pg from 'pg'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { databaseError } from './errors.ts'

const BETTER = "create database <name> template template0 encoding 'UTF8' lc_ctype 'C.UTF-8'"

/**
 * What a database is created with and cannot change later. Rejects with `unsupported` for an encoding that cannot hold
 * every text; where only the letters of English have a case, the log says what the search will miss.
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

const DUPLICATE_OBJECT = '42710'
/** Internal errors all have this code; messages may be in any language. */
const TUPLE_CONCURRENTLY_UPDATED = 'XX000'
const UNIQUE_VIOLATION = '23505'
const INSUFFICIENT_PRIVILEGE = '42501'
const FEATURE_NOT_SUPPORTED = '0A000'

const ROLE_CATALOGUES = new Set(['pg_authid', 'pg_auth_members'])

/**
 * Whether another database of the same server made the same role, or granted it, at this moment: roles belong to the
 * server, and a lock only to a database. Trying again finds what the other made.
 */
export const isRoleRace = (error: unknown): boolean => {
  const cause = isAssayError(error) ? error.cause : error
  if (!(cause instanceof pg.DatabaseError)) return false
  if (cause.code === UNIQUE_VIOLATION) return ROLE_CATALOGUES.has(cause.table ?? '')
  return cause.code === DUPLICATE_OBJECT || cause.code === TUPLE_CONCURRENTLY_UPDATED
}

const NEEDS =
  'Migrations are run by the owner of the database, who must be allowed to create roles (`createrole`). The extension must be there already, or be one that this user may create: a superuser can run `create extension vector` in this database. Where another user has made the roles, that one or a superuser must grant them: `grant assay_app, assay_pipeline, assay_accounts, assay_edge, assay_search, assay_sandbox, assay_transfer, assay_erasure to <user> with admin option`.'

/** The same as the one type, with what to do about it where the database's user or server lacks something. */
export const migrationError = (error: unknown, migration: string): unknown => {
  if (!(error instanceof pg.DatabaseError)) return databaseError(error)
  if (error.code === INSUFFICIENT_PRIVILEGE)
    return new AssayError('forbidden', `The database refuses the migration ${migration}: ${error.message}. ${NEEDS}`, {
      cause: error,
    })
  if (error.code === FEATURE_NOT_SUPPORTED && /vector/.test(error.message))
    return new AssayError(
      'unsupported',
      'The database server has no pgvector. Install it there (https://github.com/pgvector/pgvector#installation), or use a server that has it.',
      { cause: error },
    )
  const translated = databaseError(error)
  if (!isAssayError(translated) || translated.code !== 'internal') return translated
  return new AssayError('internal', `The migration ${migration} failed: ${error.message}.`, { cause: error })
}
