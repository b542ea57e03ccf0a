import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./run-with-stack.ts', import.meta.url))

const run = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', PROGRAM, ...words],
      { env: { ...process.env, CI: '', ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })

const node = (program: string): string[] => ['--', process.execPath, '--input-type=module', '-e', program]

test('the command finds the engines by its environment, its exit code is the answer, and the engines go', async () => {
  const { code, stdout } = await run([
    'clickhouse',
    ...node(`
      const { origin } = new URL(process.env.CLICKHOUSE_URL)
      console.log(origin, await (await fetch(origin + '/ping')).text())
      process.exit(7)`),
  ])
  assert.equal(code, 7)
  const [origin = '', answer] = stdout.trim().split(' ')
  assert.equal(answer, 'Ok.')
  await assert.rejects(fetch(`${origin}/ping`))
})

test('a command that a signal ends is no success', async () => {
  const { code } = await run(['clickhouse', ...node(`process.kill(process.pid, 'SIGKILL')`)])
  assert.equal(code, 137)
})

test('without engines the command uses embedded ones, and what was not tested is said last; in CI that is a failure', async () => {
  const kafka = ['kafka', ...node('console.log("ran without")')]
  for (const [CI, expected, printed] of [
    ['', 0, 'ran without\n'],
    ['true', 1, ''],
  ] as const) {
    const { code, stdout, stderr } = await run(kafka, { CI, PATH: '' })
    assert.equal(code, expected)
    assert.equal(stdout, printed)
    assert.match(stderr, /\*\*\* NOT TESTED on the real engines \(kafka\): .*Install a Java runtime.* \*\*\*\s*$/)
  }
})

test('words that make no sense are answered with what would', async () => {
  const wrong = [['postgres'], ['mysql', '--', 'true'], ['--', 'true'], ['postgres', '--']]
  for (const { code, stderr } of await Promise.all(wrong.map(words => run(words)))) {
    assert.equal(code, 1)
    assert.match(stderr, /kafka, registry, postgres, clickhouse/)
  }
})
