import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { nodeTexts, storeNodeVectors } from '../../../model/map/node-vectors.ts'
import { type NodeId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder, type Finish, finished, vectorAt } from '../testing.ts'
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

const node = async (workspaceId: WorkspaceId, vectors: readonly Float32Array[], model = embedder.model) => {
  const id = newId<NodeId>()
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

const anchor = async (workspaceId: WorkspaceId, finish: Finish) => {
  const [result] = await createAnchor({ database: db.database, embedder }).run([
    await finished(workspaceId, 'text', finish),
  ])
  assert.equal(result?.kind, 'next')
  return result.adds.anchor
}

test('a workspace without a map attaches nothing and scores nothing', async () => {
  assert.deepEqual(await anchor(await workspace(), { vector: vectorAt(1) }), { node_id: null, score: null })
})

for (const [cosine, attached] of [
  [0.8, true],
  [0.95, true],
  [0.7999, false],
] as const) {
  test(`a node at cosine ${cosine} is ${attached ? 'attached' : 'only scored'}`, async () => {
    const id = await workspace()
    const nodeId = await node(id, [vectorAt(1)])
    const { node_id, score } = await anchor(id, { vector: vectorAt(cosine) })
    assert.equal(node_id, attached ? nodeId : null)
    assert.ok(score !== null && Math.abs(score - cosine) < 1e-5)
  })
}

test('a node is as near as the nearest of its texts, and the nearest node wins', async () => {
  const id = await workspace()
  await node(id, [vectorAt(0.85, 2)])
  const nearest = await node(id, [vectorAt(0.1, 3), vectorAt(0.95, 4)])
  assert.equal((await anchor(id, { vector: vectorAt(1) })).node_id, nearest)
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
  const nodeId = await node(id, [vector])
  const results = await createAnchor({ database: db.database, embedder }).run([
    await finished(id, 'Invoice export: the invoice export to CSV'),
    await finished(id, 'Please add a dark mode'),
  ])
  assert.deepEqual(
    results.map(result => result.kind === 'next' && result.adds.anchor.node_id),
    [nodeId, null],
  )
})
