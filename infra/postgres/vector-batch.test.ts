import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestDatabase } from './testing.ts'
import { toVectorBatch, vectorOf } from './vector-batch.ts'
import { fromVector } from './vectors.ts'

test('vectors travel in one value and come apart as they were, to the last bit', async t => {
  const db = await startTestDatabase()
  t.after(() => db.stop())
  const vectors = [0, 1, 2].map(seed =>
    Float32Array.from({ length: 1024 }, (_, index) => Math.sin(index + seed) / 31.7),
  )
  const { rows } = await db.pool.query<{ vector: string }>(
    `select ${vectorOf('$1', 'place')} as vector from generate_series(1, 3) as place order by place desc`,
    [toVectorBatch(vectors)],
  )
  assert.deepEqual(
    rows.map(row => fromVector(row.vector)),
    vectors.toReversed(),
  )
})
