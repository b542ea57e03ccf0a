import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionAt, socketNote } from '../../infra/postgres/embedded/socket-directory.ts'
import { createPool } from '../../infra/postgres/pool.ts'
import { silentLogger } from '../../infra/postgres/testing-embedded.ts'
import type { EmbeddedInstallation } from './installation.ts'

const INSERT = `
  insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at,
    last_failed_at, sealed, record)
  select $1, 'normalize', workspace_id, 'signals.validate', 'sender', 'invalid_input', '/text has nothing to see.', 1, now(),
    now(), true, $2
  from sources where id = $3`

/**
 * Puts a letter that died before it was scrubbed into the workspace of a source of a running installation. No sender
 * can make one: the edge refuses all that the steps up to scrub refuse. Its record cannot be opened, and no activity
 * tells of it. Answers what takes it away.
 */
export const putSealedLetter = async (
  { dataDirectory }: Pick<EmbeddedInstallation, 'dataDirectory'>,
  sourceId: string,
): Promise<() => Promise<void>> => {
  const host = (await readFile(socketNote(join(dataDirectory, 'postgres')), 'utf8')).trim()
  const ask = async (statement: string, ...values: readonly unknown[]): Promise<void> => {
    const pool = createPool({ connection: connectionAt(host), max: 1, logger: silentLogger })
    try {
      await pool.query(statement, [...values])
    } finally {
      await pool.end()
    }
  }
  const id = randomUUID()
  await ask(INSERT, id, randomBytes(64), sourceId)
  return () => ask('delete from dead_letters where signal_id = $1', id)
}
