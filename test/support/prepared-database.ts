import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CACHE, prepareDirectoryForTests, removeOthers, templateHash } from '../../infra/postgres/testing-embedded.ts'
import { randomSecret } from '../../infra/runtime/secrets.ts'

/** What a database depends on before any migration. */
const MADE_BY = [
  new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url),
  new URL('../../infra/postgres/embedded/engine.ts', import.meta.url),
]

const keptName = async (): Promise<string> => {
  const hash = createHash('sha256').update(await templateHash())
  for (const file of MADE_BY) hash.update(await readFile(file))
  return `database-${hash.digest('hex').slice(0, 16)}`
}

/**
 * Puts an embedded database where an installation will look for it, migrated and empty as its first start leaves it,
 * and a key beside it. To make a database takes seconds, so it is made once for all tests.
 */
export const prepareDataDirectory = async (dataDirectory: string): Promise<void> => {
  const name = await keptName()
  const kept = fileURLToPath(new URL(name, CACHE))
  if (!existsSync(kept)) {
    const made = `${kept}.${randomUUID()}`
    await mkdir(CACHE, { recursive: true })
    await prepareDirectoryForTests(made)
    // Another test may have been quicker.
    await rename(made, kept).catch(() => rm(made, { recursive: true }))
    await removeOthers(/^database-[0-9a-f]+$/, name)
  }
  // Node's own copy of a thousand files takes eight times as much of the processor.
  await promisify(execFile)('cp', ['-R', kept, join(dataDirectory, 'postgres')])
  await writeFile(join(dataDirectory, 'installation.key'), `${randomSecret()}\n`, { mode: 0o600 })
}
