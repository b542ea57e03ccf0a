import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHECKED, filesFor } from './files.ts'

test('what is checked, what runs on the stores and the rest are every test file together', () => {
  const every = filesFor([])
  assert.ok(every.length > 250)
  assert.deepEqual(new Set([...filesFor(CHECKED), ...filesFor(['--stores']), ...filesFor(['--rest'])]), new Set(every))
})

test('the check runs what the rest leaves to it, and a whole run begins with the check', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const checked = scripts.check.match(/check:\S+/g).map((name: string) => scripts[name])
  for (const pattern of CHECKED)
    assert.ok(
      checked.some((script: string) => script.includes(pattern)),
      pattern,
    )
  assert.match(scripts.test, /^npm run check && .*npm run test:rest$/)
})

test('only what the rest leaves to the stores runs once, and some of the stores runs on both', () => {
  const stores = new Set(filesFor(['--stores']))
  const twice = filesFor(['--rest']).filter(file => stores.has(file))
  assert.ok(twice.includes('infra/postgres/row-level-security.test.ts'))
  assert.ok(!twice.includes('model/ledger/ledger.test.ts'))
  assert.ok(!twice.includes('query-api/accounts/accounts.test.ts'))
  assert.ok([...stores].every(file => !file.startsWith('web/')))
})

test('the files that take longest come first', () => {
  const [first = '', ...others] = filesFor([])
  assert.match(first, /^test\/faults\//)
  const app = others.findIndex(file => file.startsWith('web/tests/'))
  assert.ok(others.slice(0, app).every(file => file.startsWith('test/faults/')))
})

test('patterns choose files', () => {
  assert.deepEqual(filesFor(['test/f*.test.ts']), ['test/files.test.ts'])
  assert.deepEqual(filesFor(['nothing/*']), [])
  assert.deepEqual(filesFor(['--stores', 'model/ledger/ledger.test.ts', 'test/f*.test.ts']), [
    'model/ledger/ledger.test.ts',
  ])
  assert.deepEqual(filesFor(['--rest', 'model/ledger/ledger.test.ts', 'test/f*.test.ts']), ['test/files.test.ts'])
})
