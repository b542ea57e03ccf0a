import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesFor } from './files.ts'

test('what runs on the stores and the rest are every test file together', () => {
  const every = filesFor([])
  assert.ok(every.length > 250)
  assert.deepEqual(new Set([...filesFor(['--stores']), ...filesFor(['--rest'])]), new Set(every))
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
