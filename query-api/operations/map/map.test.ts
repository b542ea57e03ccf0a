import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const map = (mode: string, input: object = {}) => workspace.call('service_map', mode, input)

const vectorsOf = async (nodeId: string): Promise<string[]> => {
  const { rows } = await kit.database.pool.query(
    'select embedding::text from map_node_vectors where node_id = $1 order by ordinal',
    [nodeId],
  )
  return rows.map(row => row.embedding)
}

test('nodes are added below a parent by its name, and read back as a tree with a vector for each text', async () => {
  await map('add_node', { name: 'Exports', description: 'Getting data out.' })
  const { data: csv } = await map('add_node', {
    name: 'CSV',
    parent_id: 'exports',
    examples: ['The CSV is broken.', 'csv'],
  })
  assert.deepEqual(csv.examples, ['The CSV is broken.', 'csv'])
  const { data } = await map('read')
  assert.deepEqual(
    data.items.map((node: { path: string[] }) => node.path),
    [['Exports'], ['Exports', 'CSV']],
  )
  assert.equal((await vectorsOf(csv.id)).length, 3)
})

test('a name that a sibling has is refused, the same name elsewhere is not', async () => {
  await map('add_node', { name: 'Exports' })
  await map('add_node', { name: 'CSV', parent_id: 'Exports' })
  await assert.rejects(map('add_node', { name: 'exports' }), failsWith('conflict'))
  await assert.rejects(map('add_node', { name: 'csv ', parent_id: 'Exports' }), failsWith('conflict'))
  await map('add_node', { name: 'CSV' })
  await assert.rejects(map('read', { id: 'CSV' }), failsWith('ambiguous'))
})

test('a changed node is embedded again; what was not sent stays', async () => {
  const { data: node } = await map('add_node', {
    name: 'Exports',
    description: 'Getting data out.',
    examples: ['a', 'b'],
  })
  const before = await vectorsOf(node.id)
  const { data: changed } = await map('update_node', { id: node.id, examples: ['The export never ends.'], version: 1 })
  assert.deepEqual([changed.description, changed.version], ['Getting data out.', 2])
  const after = await vectorsOf(node.id)
  assert.equal(after.length, 2)
  assert.equal(after[0], before[0])
  assert.notEqual(after[1], before[1])
  await assert.rejects(map('update_node', { id: node.id, name: 'Export', version: 1 }), failsWith('conflict'))
})

test('a node with others below it is not removed; one without releases its Signals', async () => {
  const { data: parent } = await map('add_node', { name: 'Exports' })
  const { data: child } = await map('add_node', { name: 'CSV', parent_id: parent.id })
  const signal = await workspace.signal({ text: 'The CSV is broken.', nodeId: child.id })
  await assert.rejects(map('remove_node', { id: parent.id }), failsWith('conflict'))
  const { data: anchored } = await workspace.call('service_lookup', 'signal', { id: signal.id })
  assert.equal(anchored.signal.node.name, 'CSV')
  const { data } = await map('remove_node', { id: 'CSV' })
  assert.deepEqual([data.removed.id, data.released_signals], [child.id, 1])
  const { data: released } = await workspace.call('service_lookup', 'signal', { id: signal.id })
  assert.equal(released.signal.node, null)
})
