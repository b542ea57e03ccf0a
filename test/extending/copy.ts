import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CODE = [
  ...['commands', 'infra', 'ingest', 'model', 'processors', 'query-api', 'schemas', 'test', 'web/src', 'web/dist'],
  ...['assay.ts', 'package.json', 'tsconfig.json', 'docs', 'bench'],
]

/** A copy of the repository that is changed as its guide says, to see what a change takes. */
export interface Copy {
  readonly directory: string
  /** Writes a new file. */
  add(path: string, content: string): Promise<void>
  /** Puts `line` before or after the one place where `at` stands. */
  insert(path: string, place: { readonly before: string } | { readonly after: string }, line: string): Promise<void>
  /** The files that were added or changed since it was asked last. */
  touched(): readonly string[]
  /** Runs a program of the copy to its end; answers what it printed. Rejects when it fails. */
  run(parameters: readonly string[]): Promise<string>
  remove(): Promise<void>
}

export const copyRepository = async (): Promise<Copy> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-extending-'))
  // Node's own copy of a thousand files takes four times as much of the processor.
  await promisify(execFile)('cp', ['-R', '--parents', ...CODE, directory], { cwd: ROOT })
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  let touched = new Set<string>()

  return {
    directory,
    add: async (path, content) => {
      touched.add(path)
      await mkdir(dirname(join(directory, path)), { recursive: true })
      await writeFile(join(directory, path), content, { flag: 'wx' })
    },
    insert: async (path, place, line) => {
      touched.add(path)
      const content = await readFile(join(directory, path), 'utf8')
      const [at, changed] =
        'before' in place ? [place.before, `${line}${place.before}`] : [place.after, `${place.after}${line}`]
      const parts = content.split(at)
      assert.equal(parts.length, 2, `${path} has ${JSON.stringify(at)} once`)
      await writeFile(join(directory, path), parts.join(changed))
    },
    touched: () => {
      const paths = [...touched]
      touched = new Set()
      return paths
    },
    run: async parameters => {
      // Tests that it runs are no part of this run.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const child = spawn(process.execPath, parameters, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      if (child.exitCode !== 0) throw new Error(`${parameters.join(' ')} failed:\n${printed}${complaints}`)
      return printed
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
