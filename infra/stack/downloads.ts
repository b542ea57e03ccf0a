import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from './tools.ts'

/**
 * The directory `name` of the cache, filled by `fill` the first time. It appears whole or not at all, so that an
 * interrupted download is begun again, and two processes at once do no harm.
 */
export const cachedDownload = async (
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

/** The files of a wheel on PyPI (`name==version`) in the cache; it brings no other package along. */
export const cachedWheel = (cache: string, name: string, wheel: string): Promise<string> =>
  cachedDownload(cache, name, async target => {
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check']
    await run('pip3', ['download', ...options, wheel], { cwd: target })
    // A wheel is a zip archive; `sh` writes its name out.
    await run('sh', ['-c', 'unzip -q -- *.whl && rm -- *.whl'], { cwd: target })
  })
