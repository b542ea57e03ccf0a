import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../test/files.ts'
import { deployFiles } from './files.ts'

for (const [path, text] of Object.entries(deployFiles())) {
  test(`${path} says what the settings say; npm run docs writes it`, () => {
    assert.equal(readFileSync(join(ROOT, path), 'utf8'), text)
  })
}
