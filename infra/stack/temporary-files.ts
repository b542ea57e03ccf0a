import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Linux' file system in memory. */
const MEMORY = '/dev/shm'
/** Several times the need of a whole run. */
const ROOM_BYTES = 4 * 1024 ** 3
const PREFIX = 'assay-temporary-files-'

/** Containers often provide only a few megabytes there, or forbid starting programs. */
const isOfUse = async (): Promise<boolean> => {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const options = mounts.split('\n').flatMap(line => {
    const [, directory, , given = ''] = line.split(' ')
    return directory === MEMORY ? [given.split(',')] : []
  })
  if (options.length === 0 || options.some(given => given.includes('noexec') || given.includes('ro'))) return false
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize >= ROOM_BYTES
}

/** Removes the files of killed processes. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(MEMORY)) {
    const owner = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : ''
    if (/^\d+$/.test(owner) && !existsSync(`/proc/${owner}`))
      await rm(join(MEMORY, name), { recursive: true, force: true })
  }
}

/**
 * Moves the temporary files of this process and its children into memory, when the machine has room and TMPDIR is not
 * set. A run of the tests makes and removes hundreds of thousands of files: on a disk, searching for a free inode takes
 * a third of PostgreSQL's time. Returns a function that removes the files.
 */
export const keepTemporaryFilesInMemory = async (): Promise<() => Promise<void>> => {
  if (process.env.TMPDIR !== undefined || !(await isOfUse())) return async () => {}
  await removeAbandoned()
  const directory = join(MEMORY, `${PREFIX}${process.pid}`)
  await mkdir(directory)
  // The user of PostgreSQL passes through the directory.
  await chmod(directory, 0o711)
  process.env.TMPDIR = directory
  return async () => {
    delete process.env.TMPDIR
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
