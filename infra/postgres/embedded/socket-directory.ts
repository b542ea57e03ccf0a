import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** The name that PostgreSQL's clients look for in a directory given as `host`. */
const PORT = 5432
export const SOCKET = `.s.PGSQL.${PORT}`
/** What `sun_path` of a socket address holds on the narrowest system we run on (macOS: 104 bytes with the final zero). */
const MAX_PATH_BYTES = 103
const PREFIX = 'assay-pg-'

export interface SocketDirectory {
  readonly host: string
  readonly port: number
  readonly path: string
  remove(): Promise<void>
}

/** Beside the data: where the socket of whoever has the database open is. */
export const socketNote = (directory: string): string => `${directory}.socket`

/** Where socket directories are made: the system's temporary directory, unless its path is too long. */
export const socketParent = (): string => {
  const longest = join(tmpdir(), `${PREFIX}XXXXXX`, SOCKET)
  return Buffer.byteLength(longest) <= MAX_PATH_BYTES ? tmpdir() : '/tmp'
}

/** A directory that only this user can enter (mkdtemp makes it 0700): who can reach the socket in it needs no password. */
export const makeSocketDirectory = async (): Promise<SocketDirectory> => {
  const host = await mkdtemp(join(socketParent(), PREFIX))
  return { host, port: PORT, path: join(host, SOCKET), remove: () => rm(host, { recursive: true, force: true }) }
}

/**
 * How pools connect to the socket in a directory. A statement has a fraction of the time that it has in a server, because all others wait for
 * it: they are served again within 10 s. Who needs longer gives its pool a limit of its own.
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
