import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../../infra/postgres/embedded/index.ts'
import { prepareDirectory } from '../../infra/postgres/embedded/prepare.ts'
import { makeTemplate, quiet, templateHash } from '../../infra/postgres/testing-template.ts'

const CACHE = new URL('../../.cache/', import.meta.url)
/** What a database depends on before any migration. */
const MADE_BY = [
  new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url),
  new URL('../../infra/postgres/embedded/engine.ts', import.meta.url),
  new URL('../../infra/postgres/embedded/prepare.ts', import.meta.url),
]

const keptDirectory = async (): Promise<string> => {
  const hash = createHash('sha256').update(await templateHash())
  for (const file of MADE_BY) hash.update(await readFile(file))
  return fileURLToPath(new URL(`database-${hash.digest('hex').slice(0, 16)}`, CACHE))
}

const make = async (directory: string): Promise<void> => {
  await prepareDirectory(directory)
  const crashed = (error: Error) => {
    throw error
  }
  const { connection, stop } = await startEmbeddedPostgres({ directory, logger: quiet, onCrash: crashed })
  await makeTemplate(connection)
  await stop()
}

/** Those of other migrations, 40 MB each. */
const removeOthers = async (kept: string): Promise<void> => {
  const others = (await readdir(CACHE)).filter(name => /^database-[0-9a-f]+$/.test(name) && !kept.endsWith(name))
  await Promise.all(others.map(name => rm(new URL(name, CACHE), { recursive: true, force: true })))
}

/** Puts an embedded database where an installation will look for it, migrated and empty as its first start leaves it. That takes seconds, so it is made once for all tests. */
export const copyPreparedDatabase = async (directory: string): Promise<void> => {
  const kept = await keptDirectory()
  if (!existsSync(kept)) {
    const made = `${kept}.${process.pid}`
    await mkdir(CACHE, { recursive: true })
    await make(made)
    // Another test may have been quicker.
    await rename(made, kept).catch(() => rm(made, { recursive: true }))
    await removeOthers(kept)
  }
  // Node's own copy of a thousand files takes eight times as much of the processor.
  await promisify(execFile)('cp', ['-R', kept, directory])
}
