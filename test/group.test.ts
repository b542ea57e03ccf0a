import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, describe, test } from 'node:test'
import { filesFor, ROOT } from './files.ts'
import { groupsOf } from './groups.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-group-'))
after(() => rmSync(directory, { recursive: true }))

const IMPORTS = "import assert from 'node:assert/strict'\nimport { after, before, test } from 'node:test'\n"

/** Runs files of these sources as a group; answers what it printed, its exit code and the progress that it wrote. */
const runTogether = (sources: readonly string[]) => {
  const files = sources.map((source, at) => {
    const path = join(directory, `file-${at}.mjs`)
    writeFileSync(path, IMPORTS + source)
    return relative(ROOT, path)
  })
  const progress = join(directory, 'progress')
  const program = join(directory, 'program.mjs')
  const group = JSON.stringify(new URL('group.ts', import.meta.url).href)
  writeFileSync(
    program,
    `import { runGroup } from ${group}\nawait runGroup(${JSON.stringify(files)}, ${JSON.stringify(progress)})`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const parameters = ['--disable-warning=ExperimentalWarning', '--test-reporter=spec', program]
  const { stdout, status } = spawnSync(process.execPath, parameters, { env, encoding: 'utf8' })
  return { stdout, status, progress: readFileSync(progress, 'utf8') }
}

describe('files in one process', () => {
  test('run one after the other, each with hooks of its own', () => {
    const { stdout, status, progress } = runTogether([
      "before(() => { globalThis.up = 'first' })\ntest('one', () => assert.equal(up, 'first'))\nafter(() => { globalThis.up = null })",
      "assert.equal(up, null)\nawait new Promise(go => setTimeout(go, 5))\ntest('two', () => assert.equal(up, null))",
    ])
    assert.equal(status, 0, stdout)
    assert.match(stdout, /file-0\.mjs[\s\S]+one[\s\S]+file-1\.mjs[\s\S]+two/)
    assert.match(stdout, /tests 2\n/)
    assert.equal(progress, 'after its last file')
  })

  test('fail with a file that cannot be read, or a test that fails, and go on', () => {
    const { stdout, status } = runTogether([
      "test('one', () => {})\nthrow new Error('unreadable')",
      "test('two', () => assert.fail('wrong'))",
      "test('three', () => {})",
    ])
    assert.equal(status, 1)
    assert.match(stdout, /✖ .*file-0\.mjs/)
    assert.match(stdout, /✖ .*file-1\.mjs/)
    assert.match(stdout, /✔ .*file-2\.mjs/)
  })

  test('leave behind which of them ended the process, or never ends', () => {
    const { status, progress } = runTogether(["test('one', () => {})", "test('two', () => process.abort())"])
    assert.notEqual(status, 0)
    assert.match(progress, /^in the middle of .*file-1\.mjs$/)
  })
})

describe('the files of a whole run', () => {
  const groups = groupsOf(filesFor([]))
  const of = (file: string): readonly string[] => groups.find(group => group.includes(file)) ?? []

  test('are each in one group', () => {
    assert.deepEqual(groups.flat().sort(), filesFor([]).sort())
    assert.ok(groups.every(group => group.length <= 24))
    assert.ok(groups.length < filesFor([]).length / 2)
  })

  test('are by themselves when they work on their process', () => {
    assert.ok(of('infra/runtime/errors.test.ts').length > 1 || of('query-api/operations/budget.test.ts').length > 1)
    assert.deepEqual(of('infra/stack/process.test.ts'), ['infra/stack/process.test.ts'])
    assert.deepEqual(of('infra/log/kafka/brokers.test.ts'), ['infra/log/kafka/brokers.test.ts'])
    assert.deepEqual(of('test/group.test.ts'), ['test/group.test.ts'])
  })

  test('begin in the order that they had', () => {
    const firsts = groups.map(([first]) => first)
    assert.deepEqual(
      firsts,
      filesFor([]).filter(file => firsts.includes(file)),
    )
  })
})
