import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { referencePages } from './reference.ts'

for (const [name, text] of Object.entries(referencePages())) {
  test(`docs/reference/${name} says what the definitions say; npm run docs writes it`, () => {
    assert.equal(readFileSync(new URL(`reference/${name}`, import.meta.url), 'utf8'), text)
  })
}
