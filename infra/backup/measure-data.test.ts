import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetrics } from '../runtime/metrics.ts'
import { measureData, noteBackup } from './measure-data.ts'

test('what is free on the disk is measured, and the age of the last backup once there is one', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-measured-'))
  t.after(() => rm(directory, { recursive: true }))
  const madeAt = Date.parse('2026-11-28T03:00:00Z')
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  measureData(metrics, directory, () => madeAt + 3_600_000)
  const { body: before } = await metrics.expose()
  assert.ok(Number(/^assay_disk_free_bytes\{.*\} (\d+)$/m.exec(before)?.[1]) > 0)
  assert.doesNotMatch(before, /^assay_backup_age_seconds\{/m)
  await noteBackup(directory, new Date(madeAt))
  assert.match((await metrics.expose()).body, /^assay_backup_age_seconds\{program="test"\} 3600$/m)
})
