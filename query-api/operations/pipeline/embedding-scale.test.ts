import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/built-in-embedder.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { readEmbeddingScale } from './inspect-pipeline.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const scale = (workspaceId: WorkspaceId, model: string) =>
  db.database.transaction({ role: 'assay_app', workspaceId }, transaction => readEmbeddingScale(transaction, model))

test('the scale is the shipped one, what the workspace fitted, or none', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const knots = JSON.stringify([
    [-1, -1],
    [0.8, 0.8],
    [1, 0.8799],
  ])
  await db.pool.query(
    `insert into embedding_calibrations (workspace_id, model, knots, made_pairs, labelled_pairs, through_place)
     values ($1, 'another-model', $2, 290, 3, 120)`,
    [one, knots],
  )
  assert.partialDeepStrictEqual(await scale(one, BUILT_IN_MODEL), {
    calibration: 'shipped',
    anchors_at: 0.8,
    compares_words: true,
    fitted_at: null,
  })
  const fitted = { calibration: 'fitted', anchors_at: 0.8, skips_at: null, made_pairs: 290, labelled_pairs: 3 }
  assert.partialDeepStrictEqual(await scale(one, 'another-model'), fitted)
  const none = { calibration: 'none', skips_at: 0.88, skips_in_threads_at: 0.92, compares_words: false }
  assert.partialDeepStrictEqual(await scale(two, 'another-model'), none)
})
