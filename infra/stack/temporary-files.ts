import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** Linux has a file system here that is kept in memory. */
const MEMORY = '/dev/shm'
/** Several times what a whole run has at once. */
const ROOM_BYTES = 4 * 1024 ** 3
const PREFIX = 'assay-temporary-files-'

/** Containers often give a few megabytes, or allow no program to be started from there. */
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

/** What a process that was killed left there. */
const removeAbandoned = async (): Promise<void> => {
  for (const name of await readdir(MEMORY)) {
    const owner = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : ''
    if (/^\d+$/.test(owner) && !existsSync(`/proc/${owner}`))
      await rm(join(MEMORY, name), { recursive: true, force: true })
  }
}

/**
 * From now on this process and those that it starts have their temporary files in memory, where the machine has room
 * there and nobody has said where they go. A run of the tests makes and removes hundreds of thousands of files: on a
 * disk the search for a free inode alone takes a third of PostgreSQL's time. Answers what removes them.
 */
export const keepTemporaryFilesInMemory = async (): Promise<() => Promise<void>> => {
  if (process.env.TMPDIR !== undefined || !(await isOfUse())) return async () => {}
  await removeAbandoned()
  const directory = join(MEMORY, `${PREFIX}${process.pid}`)
  await mkdir(directory)
  // The user whose PostgreSQL it is goes through it.
  await chmod(directory, 0o711)
  process.env.TMPDIR = directory
  return async () => {
    delete process.env.TMPDIR
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
