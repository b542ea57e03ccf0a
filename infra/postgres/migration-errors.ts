import pg from 'pg'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import { databaseError } from './errors.ts'

const DUPLICATE_OBJECT = '42710'
/** All internal errors have this code; messages may be in any language. */
const TUPLE_CONCURRENTLY_UPDATED = 'XX000'
const UNIQUE_VIOLATION = '23505'
const INSUFFICIENT_PRIVILEGE = '42501'
const FEATURE_NOT_SUPPORTED = '0A000'

const RACED_CATALOGUES = new Set(['pg_authid', 'pg_auth_members', 'pg_extension'])

/**
 * True when another program made the same object at this moment outside of our lock: a role or its grant, which another
 * database of the server needs too, or the extension, which an operator creates. A retry finds the object.
 */
export const isRace = (error: unknown): boolean => {
  const cause = isAssayError(error) ? error.cause : error
  if (!(cause instanceof pg.DatabaseError)) return false
  if (cause.code === UNIQUE_VIOLATION) return RACED_CATALOGUES.has(cause.table ?? '')
  return cause.code === DUPLICATE_OBJECT || cause.code === TUPLE_CONCURRENTLY_UPDATED
}

const NEEDS =
  'Migrations are run by the owner of the database, who must be allowed to create roles (`createrole`). The extension must be there already, or be one that this user may create: a superuser can run `create extension vector` in this database. Where another user has made the roles, that one or a superuser must grant them: `grant assay_app, assay_pipeline, assay_accounts, assay_edge, assay_search, assay_sandbox, assay_transfer, assay_erasure to <user> with admin option`.'

/** Translates a driver's error, with advice where the database's user or server lacks something. */
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
