import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The commit of the main branch that was last released. Whoever releases writes the new one here. */
export const RELEASED = '2971920474e9cbd6d66c4b6fcbcae5dc8b1b006d'

const git = (...words: readonly string[]): Buffer =>
  execFileSync('git', words, { cwd: ROOT, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] })

const isThere = (commit: string): boolean => {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** A clone that is not deep enough fetches the one commit. */
const obtain = (commit: string): void => {
  if (isThere(commit)) return
  git('fetch', '--depth=1', 'origin', commit)
}

const lockOf = (directory: string): string => readFileSync(join(directory, 'package-lock.json'), 'utf8')

export interface Release {
  readonly directory: string
  remove(): void
}

/** The released version, installed. Throws where its commit cannot be had: a trial without it would show nothing. */
export const installRelease = (): Release => {
  obtain(RELEASED)
  const directory = mkdtempSync(join(tmpdir(), 'assay-released-'))
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', RELEASED) })
  if (lockOf(directory) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'inherit' })
  const app = join(directory, 'web/dist')
  if (!existsSync(app)) symlinkSync(join(ROOT, 'web/dist'), app)
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
