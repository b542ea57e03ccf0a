import { lstat, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { codeOf } from '../../runtime/errors.ts'
import { isSocketDirectory, SOCKET, socketParent } from './socket-directory.ts'

/** A directory without a socket may be another start's, which listens there in a moment. */
const YOUNG_MS = 10 * 60_000
/** What one start looks at; the next goes on. */
const MOST = 200

/** Whether the system knows of nobody who listens there. A socket outlives the process that made it. */
const isDead = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', error => resolve(codeOf(error) === 'ECONNREFUSED'))
  })

const isAbandoned = async (directory: string, now: number): Promise<boolean> => {
  const status = await lstat(directory)
  if (!status.isDirectory() || status.uid !== process.getuid?.()) return false
  const socket = join(directory, SOCKET)
  const isThere = await lstat(socket).catch(() => null)
  return isThere === null ? now - status.mtimeMs > YOUNG_MS : isDead(socket)
}

/**
 * Removes the socket directories that killed programs of this user left behind, whichever data they had open: nobody else would, as
 * each data directory remembers its last one alone. What cannot be looked at stays.
 */
export const removeAbandonedSockets = async (parent = socketParent(), now = Date.now()): Promise<void> => {
  const names = await readdir(parent).catch(() => [])
  const directories = names.map(name => join(parent, name)).filter(isSocketDirectory)
  const look = async (directory: string) => {
    if (await isAbandoned(directory, now)) await rm(directory, { recursive: true, force: true })
  }
  await Promise.allSettled(directories.slice(0, MOST).map(look))
}
