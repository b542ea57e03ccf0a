import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestDatabase } from './postgres/testing.ts'
import { fromVector, toVector, toVectorBatch, vectorOf } from './vectors.ts'

const db = await startTestDatabase()
after(() => db.stop())

test('a vector of 1024 numbers comes back exactly as it went', async () => {
  const vector = Float32Array.from({ length: 1024 }, (_, index) => Math.sin(index) / 1000)
  const { rows } = await db.pool.query<{ vector: string }>('select $1::vector(1024) as vector', [toVector(vector)])
  assert.deepEqual(fromVector(rows[0]?.vector ?? ''), vector)
})

test('many vectors travel as one array', async () => {
  const vectors = [
    [1, 0],
    [0, 1e-30],
    [-1.5, 2.5],
  ].map(numbers => Float32Array.from(numbers))
  const { rows } = await db.pool.query<{ vector: string }>('select unnest($1::vector[]) as vector', [
    vectors.map(toVector),
  ])
  assert.deepEqual(
    rows.map(row => fromVector(row.vector)),
    vectors,
  )
})

test('a plain array of numbers will do', () => {
  assert.equal(toVector([1, 0.5, -2]), '[1,0.5,-2]')
})

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
