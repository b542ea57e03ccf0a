import { access, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { codeOf } from '../../runtime/errors.ts'
import type { PostgresConnection } from '../pool.ts'

/** The name that PostgreSQL's clients look for in a directory given as `host`. */
const PORT = 5432
export const SOCKET = `.s.PGSQL.${PORT}`
/**
 * What `sun_path` of a socket address holds on the narrowest system we run on (macOS: 104 bytes with the final zero).
 */
const MAX_PATH_BYTES = 103
const PREFIX = 'assay-pg-'

interface SocketDirectory {
  readonly host: string
  readonly port: number
  readonly path: string
  remove(): Promise<void>
}

/** Beside the data: where the socket of whoever has the database open is. */
export const socketNote = (directory: string): string => `${directory}.socket`

/** Where socket directories are made: the system's temporary directory, unless its path is too long. */
const socketParent = (): string => {
  const longest = join(tmpdir(), `${PREFIX}XXXXXX`, SOCKET)
  return Buffer.byteLength(longest) <= MAX_PATH_BYTES ? tmpdir() : '/tmp'
}

/**
 * A directory that only this user can enter (mkdtemp makes it 0700): who can reach the socket in it needs no password.
 */
export const makeSocketDirectory = async (): Promise<SocketDirectory> => {
  const host = await mkdtemp(join(socketParent(), PREFIX))
  return { host, port: PORT, path: join(host, SOCKET), remove: () => rm(host, { recursive: true, force: true }) }
}

/**
 * How pools connect to the socket in a directory. A statement has a fraction of the time that it has in a server,
 * because all others wait for it: they are served again within 10 s. Who needs longer gives its pool a limit of its
 * own.
 */
export const connectionAt = (host: string) => ({
  host,
  port: PORT,
  user: 'postgres',
  database: 'postgres',
  statement_timeout: 5_000,
})

/** Whether a path is one that `makeSocketDirectory` makes, and so one that may be removed. */
export const isSocketDirectory = (path: string): boolean => basename(path).startsWith(PREFIX) && path.startsWith('/')

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
 * Removes the socket directories that killed programs of this user left behind, whichever data they had open: nobody
 * else would, as each data directory remembers its last one alone. What cannot be looked at stays.
 */
export const removeAbandonedSockets = async (parent = socketParent(), now = Date.now()): Promise<void> => {
  const names = await readdir(parent).catch(() => [])
  const directories = names.map(name => join(parent, name)).filter(isSocketDirectory)
  const look = async (directory: string) => {
    if (await isAbandoned(directory, now)) await rm(directory, { recursive: true, force: true })
  }
  await Promise.allSettled(directories.slice(0, MOST).map(look))
}
