import { access, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { codeOf } from '../../runtime/errors.ts'
import type { PostgresConnection } from '../pool.ts'

/** The socket's name that PostgreSQL's clients expect in a directory given as `host`. */
const PORT = 5432
export const SOCKET = `.s.PGSQL.${PORT}`
/** The shortest `sun_path` among our platforms: macOS has 104 bytes with the final zero. */
const MAX_PATH_BYTES = 103
const PREFIX = 'assay-pg-'

interface SocketDirectory {
  readonly host: string
  readonly port: number
  readonly path: string
  remove(): Promise<void>
}

/** A file beside the data with the directory of the open database's socket. */
export const socketNote = (directory: string): string => `${directory}.socket`

/** The system's temporary directory, unless its path is too long. */
const socketParent = (): string => {
  const longest = join(tmpdir(), `${PREFIX}XXXXXX`, SOCKET)
  return Buffer.byteLength(longest) <= MAX_PATH_BYTES ? tmpdir() : '/tmp'
}

/** A directory that only this user can enter (mkdtemp makes it 0700), so that the socket needs no password. */
export const makeSocketDirectory = async (): Promise<SocketDirectory> => {
  const host = await mkdtemp(join(socketParent(), PREFIX))
  return { host, port: PORT, path: join(host, SOCKET), remove: () => rm(host, { recursive: true, force: true }) }
}

/**
 * How pools connect to the socket. The limit of a statement is a fraction of a server's, since all other clients wait
 * for it: they are served within 10 s. A pool that needs longer sets its own limit.
 */
export const connectionAt = (host: string) => ({
  host,
  port: PORT,
  user: 'postgres',
  database: 'postgres',
  statement_timeout: 5_000,
})

/** True for a path that `makeSocketDirectory` makes, which may be removed. */
export const isSocketDirectory = (path: string): boolean => basename(path).startsWith(PREFIX) && path.startsWith('/')

/**
 * The connection to the database that another process of this user has open in the directory; null when there is none.
 */
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

/** Younger directories without a socket may belong to a process that is starting. */
const YOUNG_MS = 10 * 60_000
/** Maximum of directories checked at a start. */
const MAX_DIRECTORIES = 200

/** True when nobody listens on the socket, which outlives its process. */
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
 * Removes socket directories of this user's killed programs, of whatever data: a data directory only remembers its last
 * socket. Directories that cannot be checked stay.
 */
export const removeAbandonedSockets = async (parent = socketParent(), now = Date.now()): Promise<void> => {
  const names = await readdir(parent).catch(() => [])
  const directories = names.map(name => join(parent, name)).filter(isSocketDirectory)
  const look = async (directory: string) => {
    if (await isAbandoned(directory, now)) await rm(directory, { recursive: true, force: true })
  }
  await Promise.allSettled(directories.slice(0, MAX_DIRECTORIES).map(look))
}
