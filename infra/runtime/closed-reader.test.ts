import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url)

/** Says a thousand lines, the reader of which goes after the first, and then that it has come to its end. */
const PROGRAM = `
  const { outliveReaders } = await import('./infra/runtime/closed-reader.ts')
  if (process.argv[1] === 'outlives') outliveReaders()
  for (let line = 0; line < 1000; line += 1) {
    process.stdout.write('line ' + line + '\\n')
    await new Promise(setImmediate)
  }
  process.stderr.write('ended')`

const leftAlone = async (word: string) => {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', PROGRAM, word]
  const child = spawn(process.execPath, flags, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.once('data', () => child.stdout.destroy())
  const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  return { code, said }
}

test('what nobody reads any more goes on to its end, where Node would end it with a stack', async () => {
  assert.deepEqual(await leftAlone('outlives'), { code: 0, said: 'ended' })
  const { code, said } = await leftAlone('does not')
  assert.equal(code, 1)
  assert.match(said, /EPIPE/)
})

test('every program that people start does so', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const programs = new Set(
    ['start', 'assay', 'stack:up', 'stack:down', 'bench'].map(name => / (\S+\.ts)\b/.exec(scripts[name] ?? '')?.[1]),
  )
  assert.deepEqual([...programs].toSorted(), ['assay.ts', 'bench/main.ts', 'infra/stack/main.ts'])
  for (const program of programs)
    assert.match(readFileSync(new URL(String(program), ROOT), 'utf8'), /^outliveReaders\(\)$/m, program)
})
