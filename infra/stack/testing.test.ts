import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A test run on a machine without Java, with CI set like this: how it ended, and what it printed. */
const runWithoutJava = async (t: TestContext, CI: string): Promise<{ code: unknown; printed: string }> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-test-'))
  t.after(() => rm(directory, { recursive: true }))
  const file = join(directory, 'engines.test.ts')
  await writeFile(
    file,
    `import { test } from 'node:test'
    import { describeWithStack } from ${JSON.stringify(new URL('./testing.ts', import.meta.url).href)}
    await describeWithStack(['kafka'], () => {})
    test('another test', () => {})`,
  )
  const reporter = fileURLToPath(new URL('./test-reporter.ts', import.meta.url))
  const flags = ['--disable-warning=ExperimentalWarning', '--test', `--test-reporter=${reporter}`, file]
  // A run inside of a run would take the outer one's word for where to report.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise(resolve => {
    execFile(process.execPath, flags, { env: { ...env, PATH: '', CI } }, (error, stdout) =>
      resolve({ code: error === null ? 0 : error.code, printed: stdout }),
    )
  })
}

test('Where engines cannot be had, the last line of the run says what was not tested and what to install.', async t => {
  const { code, printed } = await runWithoutJava(t, '')
  assert.equal(code, 0)
  assert.match(printed, /another test/)
  assert.match(printed, /\n\*\*\* NOT TESTED on the real engines \(kafka\): .*Install a Java runtime.* \*\*\*\n$/)
})

test('With CI=true that is a failure.', async t => {
  const { code, printed } = await runWithoutJava(t, 'true')
  assert.equal(code, 1)
  assert.match(printed, /With CI=true every engine has to be there/)
})
