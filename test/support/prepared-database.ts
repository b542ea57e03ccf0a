import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { prepareDirectory } from '../../infra/postgres/embedded/prepare.ts'

const CACHE = new URL('../../.cache/', import.meta.url)
/** What an empty database depends on. */
const MADE_BY = [
  new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url),
  new URL('../../infra/postgres/embedded/engine.ts', import.meta.url),
  new URL('../../infra/postgres/embedded/prepare.ts', import.meta.url),
]

const pristine = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of MADE_BY) hash.update(await readFile(file))
  return fileURLToPath(new URL(`database-${hash.digest('hex').slice(0, 16)}`, CACHE))
}

/** Puts an empty embedded database, as an installation makes it at its first start, where one will look for it. Making it takes seconds, so it is made once for all tests. */
export const copyPreparedDatabase = async (directory: string): Promise<void> => {
  const kept = await pristine()
  if (!existsSync(kept)) {
    const made = `${kept}.${process.pid}`
    await mkdir(CACHE, { recursive: true })
    await prepareDirectory(made)
    // Another test may have been quicker.
    await rename(made, kept).catch(() => rm(made, { recursive: true }))
  }
  // Node's own copy of a thousand files takes eight times as much of the processor.
  await promisify(execFile)('cp', ['-R', kept, directory])
}
