import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { listEntries } from './list-entries.ts'

test('everything below a directory is listed, also while folders of it come and go', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-entries-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  for (const folder of ['kept/deeper', 'empty']) mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, 'kept/deeper/file'), 'x')

  // As an engine does that writes parts and merges them: most are gone when their turn comes.
  const passing = Array.from({ length: 100 }, (_, number) => join(directory, `passing-${number}`))
  for (let round = 0; round < 20; round += 1) {
    for (const folder of passing) mkdirSync(join(folder, 'part'), { recursive: true })
    const listing = listEntries(directory)
    for (const folder of passing) {
      rmSync(folder, { recursive: true })
      await new Promise(setImmediate)
    }
    const places = (await listing).map(({ path }) => relative(directory, path))
    const kept = places.filter(place => !place.startsWith('passing'))
    assert.deepEqual(kept.toSorted(), ['empty', 'kept', 'kept/deeper', 'kept/deeper/file'])
  }
  await assert.rejects(listEntries(join(directory, 'none')), { code: 'ENOENT' })
})
