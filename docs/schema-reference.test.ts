import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { schemaPage } from './schema-reference.ts'

const page = await schemaPage()

test('docs/reference/schema.md says what the migrations make; npm run docs writes it', () => {
  assert.equal(readFileSync(new URL('reference/schema.md', import.meta.url), 'utf8'), page)
})

test('every table says what it is for', () => {
  const tables = [...page.matchAll(/^### (\w+)\n\n(.*)/gm)]
  assert.ok(tables.length > 60)
  const silent = tables.filter(([, , about = '']) => !/^[A-Z].*\.$/.test(about)).map(([, name]) => name)
  assert.deepEqual(silent, [])
})
