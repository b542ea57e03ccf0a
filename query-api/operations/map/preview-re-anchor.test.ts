import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createReAnchorJob } from '../../../processors/jobs/re-anchor/re-anchor.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

const INVOICES = ['The invoice shows the wrong address.', 'Invoices lack the tax number.']
const EXPORTS = ['The export of the ledger stops.', 'Exports are empty on Mondays.']

const preview = async () => (await workspace.inApp('preview_re_anchor')).data
const places = async () => {
  const { rows } = await kit.database.pool.query<{ id: string; node_id: string | null }>(
    'select id, node_id from signals where workspace_id = $1 order by number',
    [workspace.id],
  )
  return rows
}
/** Does the job, and answers what it changed, in the words of the preview. */
const anchor = async () => {
  const embedder = { model: (await kit.database.pool.query('select model from signal_vectors limit 1')).rows[0].model }
  const job = createReAnchorJob({ database: kit.database.database, embedder, settleMs: 0 })
  const before = await places()
  const slice = { workspaceId: workspace.id, jobId: newId<never>(), input: {} }
  for (let cursor: unknown = null, isFirst = true; isFirst || cursor !== null; isFirst = false)
    cursor = (await job.slice({ ...slice, cursor })).cursor
  const pairs = (await places()).map(({ node_id: to }, place) => ({ from: before[place]?.node_id ?? null, to }))
  const changed = pairs.filter(({ from, to }) => from !== to)
  return {
    compared: before.length,
    moved: changed.filter(({ from, to }) => from !== null && to !== null).length,
    placed: changed.filter(({ from }) => from === null).length,
    released: changed.filter(({ to }) => to === null).length,
  }
}
const addNode = (name: string, examples: readonly string[]) => workspace.inApp('add_map_node', { name, examples })

it('What re_anchor would move is said before, and is what it moves then; what people placed stays', async () => {
  for (const text of [...INVOICES, ...EXPORTS]) await workspace.signal({ text })
  assert.deepEqual(await preview(), { compared: 4, moved: 0, placed: 0, released: 0 })
  const { data: invoices } = await addNode('Invoices', INVOICES)
  const first = await preview()
  assert.ok(first.placed >= 2)
  assert.deepEqual(await anchor(), first)
  assert.deepEqual(await preview(), { compared: 4, moved: 0, placed: 0, released: 0 })

  const [own = assert.fail()] = (await places()).slice(2)
  await workspace.inApp('move_signal', { signal_id: own.id, node_id: invoices.id })
  await addNode('Exports', EXPORTS)
  const second = await preview()
  assert.ok(second.placed + second.moved >= 1)
  assert.deepEqual(await anchor(), second)
  assert.equal((await places())[2]?.node_id, invoices.id)
})

it('What re_anchor moved goes back when the change of the map is undone, and stays there', async () => {
  workspace = await kit.workspace()
  for (const text of [...INVOICES, ...EXPORTS]) await workspace.signal({ text })
  const { data: node } = await addNode('Invoices', INVOICES)
  await anchor()
  const first = await places()
  assert.deepEqual(
    first.map(({ node_id }) => node_id),
    [node.id, node.id, null, null],
  )
  const changes = [
    () => workspace.inApp('update_map_node', { id: node.id, examples: EXPORTS }),
    () => addNode('Addresses', [`${INVOICES[0]} It is the old address.`, INVOICES[0] ?? '']),
  ]
  for (const change of changes) {
    // The job's time is the database's.
    kit.now = new Date()
    const { meta } = await change()
    await anchor()
    assert.notDeepEqual(await places(), first)
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.deepEqual(await places(), first)
    await anchor()
    assert.deepEqual(await places(), first)
  }
})
