import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresConnection } from '../pool.ts'
import { connectionAt, isSocketDirectory, SOCKET, socketNote } from './socket-directory.ts'

/** How to reach the database that another process of this user has open in the directory; null when none has. */
export const runningPostgres = async (directory: string): Promise<PostgresConnection | null> => {
  try {
    const host = (await readFile(socketNote(directory), 'utf8')).trim()
    if (!isSocketDirectory(host)) return null
    await access(join(host, SOCKET))
    return connectionAt(host)
  } catch {
    return null
  }
}
