import { readdir, rm } from 'node:fs/promises'

/** Where tests keep what takes seconds to make, until what it is made of changes. */
export const CACHE = new URL('../../.cache/', import.meta.url)

/** Removes what is kept under names like these, but for the one that is still of use: some 40 MB each. */
export const removeOthers = async (like: RegExp, kept: string): Promise<void> => {
  const others = (await readdir(CACHE)).filter(name => like.test(name) && name !== kept)
  await Promise.all(others.map(name => rm(new URL(name, CACHE), { recursive: true, force: true })))
}
