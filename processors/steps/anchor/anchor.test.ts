import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { shippedCalibration } from '../../../infra/models/calibration.ts'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { moveToNodes, nodeTexts, storeNodeVectors, takeLessonBack } from '../../../model/map/anchor.ts'
import { scoreOf } from '../../../model/map/fit.ts'
import { type NodeId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { addSignals } from '../../jobs/testing.ts'
import { embedder, type FinishedFields, finished, vectorAt } from '../testing.ts'
import { createAnchor } from './anchor.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const workspace = async (): Promise<WorkspaceId> => {
  const [id] = await db.workspaces(1)
  assert.ok(id)
  return id
}

/** A model without a calibration: its cosine is taken as it is. */
const PLANTED = 'planted'

const node = async (
  workspaceId: WorkspaceId,
  vectors: readonly Float32Array[],
  model = PLANTED,
  id = newId<NodeId>(),
) => {
  await db.pool.query('insert into map_nodes (id, workspace_id, name) values ($1, $2, $3)', [
    id,
    workspaceId,
    `Node ${id}`,
  ])
  await db.database.transaction({ role: 'assay_app', workspaceId }, transaction =>
    storeNodeVectors(transaction, workspaceId, id, model, vectors),
  )
  return id
}

const anchor = async (workspaceId: WorkspaceId, finish: FinishedFields) => {
  const [result] = await createAnchor({ database: db.database, embedder }).run([
    await finished(workspaceId, 'text', { model: PLANTED, ...finish }),
  ])
  assert.equal(result?.kind, 'next')
  return result.adds.anchor
}

test('a workspace without a map attaches nothing and scores nothing', async () => {
  assert.deepEqual(await anchor(await workspace(), { vector: vectorAt(1) }), { node_id: null, score: null })
})

/** The nearest float32 numbers to 0.80: the threshold as a model would answer it, and its neighbours. */
const THRESHOLD = Math.fround(0.8)
const ULP = 2 ** -24

for (const [what, cosine, attached] of [
  ['0.80', THRESHOLD, true],
  ['the next float below 0.80', THRESHOLD - ULP, false],
  ['the next float above 0.80', THRESHOLD + ULP, true],
  ['0.95', 0.95, true],
  ['1', 1, true],
  ['0.79', 0.79, false],
  ['0', 0, false],
  ['-1', -1, false],
] as const) {
  test(`a node at cosine ${what} is ${attached ? 'attached' : 'only scored'}`, async () => {
    const id = await workspace()
    const nodeId = await node(id, [vectorAt(1)])
    const { node_id, score } = await anchor(id, { vector: vectorAt(cosine) })
    assert.equal(node_id, attached ? nodeId : null)
    assert.ok(score !== null && Math.abs(score - cosine) < 1e-7, `${score}`)
  })
}

/**
 * How far the database's cosine of two dense vectors may be from the exact one: their parts are float32, and so are the
 * sums of its products. Nearer to the threshold than this, either answer is right.
 */
const TOLERANCE = 5e-6

/** Two unit vectors without a zero, at a cosine as near to the given one as float32 allows, the same for every run. */
const densePair = (cosine: number, seed: number): readonly [Float32Array, Float32Array] => {
  const wave = (frequency: number) =>
    Float64Array.from({ length: 1024 }, (_, at) => Math.sin((at + 1) * frequency + seed))
  const dot = (left: Float64Array, right: Float64Array) =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
  const unit = (vector: Float64Array) => vector.map(value => value / Math.sqrt(dot(vector, vector)))
  const first = unit(wave(1.7))
  const other = wave(2.9)
  const along = dot(first, other)
  const across = unit(other.map((value, at) => value - along * (first[at] ?? 0)))
  const second = first.map((value, at) => cosine * value + Math.sqrt(1 - cosine * cosine) * (across[at] ?? 0))
  return [Float32Array.from(first), Float32Array.from(second)]
}

test('dense vectors are told apart at the threshold to within five millionths', async () => {
  const id = await workspace()
  const pairs = Array.from({ length: 20 }, (_, seed) => seed + 0.5).flatMap(seed =>
    [0.8 - TOLERANCE, 0.8 + TOLERANCE].map(cosine => ({ cosine, pair: densePair(cosine, seed) })),
  )
  for (const { cosine, pair } of pairs) {
    const [first, second] = pair
    const nodeId = await node(id, [first])
    const { node_id, score } = await anchor(id, { vector: second })
    assert.equal(node_id, cosine > 0.8 ? nodeId : null, `${score} for ${cosine}`)
    await db.pool.query('delete from map_nodes where id = $1', [nodeId])
  }
})

test('a node is as near as the nearest of its texts, and the nearest node wins', async () => {
  const id = await workspace()
  await node(id, [vectorAt(0.85, 2)])
  const nearest = await node(id, [vectorAt(0.1, 3), vectorAt(0.95, 4)])
  assert.equal((await anchor(id, { vector: vectorAt(1) })).node_id, nearest)
})

test('with the built-in model a node is where its texts are on average, less what the nearest other one takes', async () => {
  const id = await workspace()
  const builtIn = { vector: vectorAt(1), model: embedder.model }
  const stored = async () => (await anchor(id, builtIn)).score?.toFixed(4)
  const first = await node(id, [vectorAt(0.6, 2), vectorAt(0.6, 3)], embedder.model)
  const calibration = shippedCalibration(embedder.model) ?? assert.fail()
  const onScale = (otherNode: number | null) =>
    scoreOf(
      { likeness: 1.2 / Math.hypot(1.2, 0.8, 0.8), otherNode, isMeasured: false },
      embedder.model,
      calibration,
    ).toFixed(4)
  assert.equal(await stored(), onScale(null))
  await node(id, [vectorAt(0.6, 4)], embedder.model)
  assert.equal(await stored(), onScale(0.6))
  assert.notEqual(onScale(0.6), onScale(null))
  assert.equal((await anchor(id, builtIn)).node_id, first)
})

test('with the built-in model a signal that two nodes fit about as well is at neither, unless it fits both well', async () => {
  for (const [cosine, isAttached] of [
    [0.4, false],
    [0.8, true],
  ] as const) {
    const id = await workspace()
    const builtIn = { vector: vectorAt(1), model: embedder.model }
    const one = await node(id, [vectorAt(cosine, 2)], embedder.model)
    assert.equal((await anchor(id, builtIn)).node_id, one)
    await node(id, [vectorAt(cosine, 3)], embedder.model)
    assert.equal((await anchor(id, builtIn)).node_id !== null, isAttached)
  }
})

test('of nodes that are equally near, the one with the lower id is the nearest, wherever its text stands', async () => {
  const id = await workspace()
  const [lower, higher] = [newId<NodeId>(), newId<NodeId>()].toSorted()
  await node(id, [vectorAt(0.9, 2)], PLANTED, higher)
  await node(id, [vectorAt(0.1, 3), vectorAt(0.9, 4)], PLANTED, lower)
  assert.equal((await anchor(id, { vector: vectorAt(1) })).node_id, lower)
})

test('a node that was removed anchors nothing, and its next one does', async () => {
  const id = await workspace()
  const removed = await node(id, [vectorAt(1)])
  const next = await node(id, [vectorAt(0.9)])
  assert.equal((await anchor(id, { vector: vectorAt(1) })).node_id, removed)
  await db.pool.query('delete from map_nodes where id = $1', [removed])
  assert.equal((await anchor(id, { vector: vectorAt(1) })).node_id, next)
})

test('signals of several workspaces and models in one batch are each compared with their own map', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const nodeOfOne = await node(one, [vectorAt(1)])
  const nodeOfTwo = await node(two, [vectorAt(0.9)], 'another-model')
  const batch = [
    await finished(two, 'text', { vector: vectorAt(1), model: 'another-model' }),
    await finished(one, 'text', { vector: vectorAt(1), model: PLANTED }),
    await finished(one, 'text', { vector: vectorAt(1), model: 'another-model' }),
    await finished(two, 'text', { vector: vectorAt(1), model: PLANTED }),
  ]
  const results = await createAnchor({ database: db.database, embedder }).run(batch)
  assert.deepEqual(
    results.map(result => result.kind === 'next' && result.adds.anchor.node_id),
    [nodeOfTwo, nodeOfOne, null, null],
  )
})

test('what is near to a signal that somebody moved to a node is anchored there, until that is taken back', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  const texts = await node(one, [vectorAt(0.9, 2)])
  const taught = await node(one, [vectorAt(0, 3)])
  await node(two, [vectorAt(0, 3)])
  const [moved] = await addSignals(db, one, ['The export fails', { vector: vectorAt(0.95, 4), model: PLANTED }])
  assert.ok(moved)
  const inside = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    db.database.transaction({ role: 'assay_app', workspaceId: one }, work)
  const probe = { vector: vectorAt(1) }
  assert.equal((await anchor(one, probe)).node_id, texts)
  await inside(transaction =>
    moveToNodes(transaction, [{ signal: moved, node: taught }], { by: 'Ada', at: new Date() }),
  )
  assert.equal((await anchor(one, probe)).node_id, taught)
  assert.equal((await anchor(two, probe)).node_id, null)
  assert.equal((await anchor(one, { vector: vectorAt(-1) })).node_id, null)
  assert.equal(await inside(transaction => takeLessonBack(transaction, moved)), true)
  assert.equal((await anchor(one, probe)).node_id, texts)
})

test('vectors of another model and of another workspace are never compared', async () => {
  const [one, two] = await db.workspaces(2)
  assert.ok(one && two)
  await node(one, [vectorAt(1)], 'another-model')
  await node(two, [vectorAt(1)])
  assert.deepEqual(await anchor(one, { vector: vectorAt(1) }), { node_id: null, score: null })
})

test('storing a node’s vectors again replaces them', async () => {
  const id = await workspace()
  const nodeId = await node(id, [vectorAt(1), vectorAt(0.9)])
  await db.database.transaction({ role: 'assay_app', workspaceId: id }, transaction =>
    storeNodeVectors(transaction, id, nodeId, embedder.model, [vectorAt(0)]),
  )
  const { rows } = await db.pool.query('select ordinal from map_node_vectors where node_id = $1', [nodeId])
  assert.deepEqual(rows, [{ ordinal: 0 }])
})

test('a node’s own words anchor a report that uses them', async () => {
  const id = await workspace()
  const [vector] = await embedder.embed([
    ...nodeTexts({ name: 'Invoice export', description: 'The invoice export to CSV', examples: [] }),
  ])
  assert.ok(vector)
  const nodeId = await node(id, [vector], embedder.model)
  const results = await createAnchor({ database: db.database, embedder }).run([
    await finished(id, 'Invoice export: the invoice export to CSV'),
    await finished(id, 'Please add a dark mode'),
  ])
  assert.deepEqual(
    results.map(result => result.kind === 'next' && result.adds.anchor.node_id),
    [nodeId, null],
  )
})
