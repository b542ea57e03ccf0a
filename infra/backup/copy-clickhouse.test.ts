import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyClickHouse } from './copy-clickhouse.ts'

test('the tokens of what was inserted are copied, also while ClickHouse removes old lists of them', async t => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-copy-clickhouse-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const place = 'store/abc/abcdef/deduplication_logs'
  const logs = join(directory, place)
  mkdirSync(logs, { recursive: true })
  const names = Array.from({ length: 40 }, (_, number) => `deduplication_log_${number}.txt`)
  const [kept, ...old] = names.toReversed() as [string, ...string[]]
  const copy = copyClickHouse({ freeze: async () => {} }, directory)

  for (let round = 0; round < 20; round += 1) {
    for (const name of names) writeFileSync(join(logs, name), 'x')
    const cutting = copy.cut()
    for (const name of old) {
      rmSync(join(logs, name))
      await new Promise(setImmediate)
    }
    await cutting
    assert.ok(existsSync(join(directory, 'shadow/assay_backup', place, kept)))
  }
  await copy.end()
  assert.equal(existsSync(join(directory, 'shadow/assay_backup')), false)
})
