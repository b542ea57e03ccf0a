import { spawnSync } from 'node:child_process'

const ROOT = new URL('../../', import.meta.url)

/** Runs `assay <args>` to its end, what it printed to each stream by itself. */
export const assay = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'assay.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
