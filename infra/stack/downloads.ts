import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The directory `name` of the cache, filled by `fill` the first time. It appears whole or not at all, so that an interrupted
 * download is begun again, and two processes at once do no harm.
 */
export const cached = async (
  cache: string,
  name: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> => {
  const directory = join(cache, name)
  if (existsSync(directory)) return directory
  await mkdir(cache, { recursive: true })
  const partial = await mkdtemp(join(cache, `${name}.partial-`))
  try {
    await fill(partial)
    await rename(partial, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return directory
}
