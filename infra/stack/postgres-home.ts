import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './tools.ts'

export interface SystemUser {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root; the user `nobody` replaces root. */
export const chooseUser = async (): Promise<SystemUser> => {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(['-u', '-g'].map(flag => run('id', [flag, 'nobody'])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}

/**
 * Prepares the directory of data and programs, and returns its real path. The user who replaces root can enter neither
 * the cache nor the stack's directory; for that user both are in a private directory below the system's temporary one,
 * to which `link` leads.
 */
export const prepareHome = async (link: string, { uid, gid }: SystemUser, installed: string): Promise<string> => {
  const server = join(link, 'server')
  if (existsSync(server)) return realpath(link)
  if (uid === undefined || gid === undefined) {
    await mkdir(link, { recursive: true, mode: 0o700 })
    await symlink(installed, server)
    return link
  }
  if (!existsSync(link)) {
    await rm(link, { force: true })
    await symlink(await mkdtemp(join(tmpdir(), 'assay-stack-postgres-')), link)
  }
  const home = await realpath(link)
  const partial = join(home, 'server.new')
  await rm(partial, { recursive: true, force: true })
  await cp(installed, partial, { recursive: true, verbatimSymlinks: true })
  await run('chown', ['-R', `${uid}:${gid}`, home])
  await rename(partial, server)
  return home
}

/** Removes the target of `link`, which may be outside of the stack's directory. */
export const removePostgresHome = async (directory: string): Promise<void> => {
  const home = await realpath(join(directory, 'postgres')).catch(() => null)
  if (home !== null) await rm(home, { recursive: true, force: true })
}
