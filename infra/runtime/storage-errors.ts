import { AssayError, codeOf } from './errors.ts'

/** What the system says of a disk, by Node's code and by SQLite's (https://www.sqlite.org/rescode.html). */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room on it',
  EDQUOT: 'the disk quota of this user is used up. Make room',
  EROFS: 'the disk can only be read. Mount it for writing',
  EACCES: 'this user may not read or write there. Give it to the user that Assay runs as',
  EPERM: 'this user may not read or write there. Give it to the user that Assay runs as',
  EIO: 'the disk does not answer as it should. Look at the system’s log, and restore the data directory from a backup',
  EMFILE: 'too many files are open. Raise the limit of this process (ulimit -n)',
}

const SQLITE_REASONS: Readonly<Record<number, string | undefined>> = {
  3: REASONS.EACCES,
  8: 'it can only be read. Mount the disk for writing, or give it to the user that Assay runs as',
  10: REASONS.EIO,
  13: REASONS.ENOSPC,
  14: REASONS.EACCES,
}

const sqliteReason = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN
  // The low byte is the class, the rest its details.
  return SQLITE_REASONS[code & 0xff]
}

/** What is wrong with a disk or a file's place on it, in a sentence's end; undefined for an error that is none of storage. */
export const storageReason = (error: unknown): string | undefined =>
  REASONS[String(codeOf(error))] ?? sqliteReason(error)

/**
 * Why a file or directory cannot be used, for whoever starts the program. `otherwise` is the reason when the system names none: then the
 * file itself is at fault.
 */
export const storageError = (
  error: unknown,
  path: string,
  otherwise = 'it is damaged. Restore the data directory from a backup',
): AssayError => {
  const reason = storageReason(error) ?? otherwise
  return new AssayError('damaged', `${path} cannot be used: ${reason}.`, { cause: error })
}
