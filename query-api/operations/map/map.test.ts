import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { refusal } from '../decisions/testing.ts'
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
  assert.equal((await vectorsOf(csv.id)).length, 4)
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
  assert.equal(after.length, 3)
  assert.deepEqual(after.slice(0, 2), before.slice(0, 2))
  assert.notEqual(after[2], before[2])
  await assert.rejects(map('update_node', { id: node.id, name: 'Export', version: 1 }), failsWith('conflict'))
})

test('a node with others below it is not removed; one without releases its Signals', async () => {
  const { data: parent } = await map('add_node', { name: 'Exports' })
  const { data: child } = await map('add_node', { name: 'CSV', parent_id: parent.id })
  const signal = await workspace.signal({ text: 'The CSV is broken.', nodeId: child.id })
  const refused = await refusal(map('remove_node', { id: parent.id }))
  assert.equal(refused.code, 'conflict')
  assert.deepEqual(refused.context, { children: [{ id: child.id, name: 'CSV' }] })
  const { data: anchored } = await workspace.call('service_lookup', 'signal', { id: signal.id })
  assert.equal(anchored.signal.node.name, 'CSV')
  const { data } = await map('remove_node', { id: 'Exports / CSV', version: 1 })
  assert.deepEqual([data.removed.id, data.unanchored_signals, data.moved_children], [child.id, 1, 0])
  assert.match(data.re_anchoring.message, /moves to the node that it fits best/)
  const { data: released } = await workspace.call('service_lookup', 'signal', { id: signal.id })
  assert.equal(released.signal.node, null)
})

test('nodes below a removed one move where they are told, unless their names are taken there', async () => {
  await map('add_node', { name: 'Exports' })
  await map('add_node', { name: 'Files', parent_id: 'Exports' })
  await map('add_node', { name: 'CSV', parent_id: 'Files' })
  await map('add_node', { name: 'Imports' })
  await map('add_node', { name: 'csv', parent_id: 'Imports' })
  const move = { id: 'Files', children: 'move' }
  await assert.rejects(map('remove_node', { ...move, parent_id: 'Imports' }), failsWith('conflict', /named "CSV"/))
  await assert.rejects(
    map('remove_node', { ...move, parent_id: 'Exports / Files / CSV' }),
    failsWith('conflict', /below itself/),
  )
  const { data } = await map('remove_node', move)
  assert.equal(data.moved_children, 1)
  assert.deepEqual(await paths(), ['Exports', 'Exports / CSV', 'Imports', 'Imports / csv'])
})

test('a node moves with all below it, to another parent or to the root, and nothing is embedded again', async () => {
  await map('add_node', { name: 'Billing' })
  const { data: invoices } = await map('add_node', { name: 'Invoices', parent_id: 'Billing' })
  await map('add_node', { name: 'PDF', parent_id: 'Billing / Invoices' })
  await map('add_node', { name: 'Documents' })
  const before = await vectorsOf(invoices.id)
  const { data: moved } = await map('move_node', { id: 'billing/invoices', parent_id: 'Documents', version: 1 })
  assert.deepEqual([moved.path, moved.version, moved.subtree_nodes], [['Documents', 'Invoices'], 2, 1])
  assert.equal(moved.re_anchoring.job_id, null)
  assert.deepEqual(await vectorsOf(invoices.id), before)
  await map('move_node', { id: invoices.id, parent_id: null })
  assert.deepEqual(await paths(), ['Billing', 'Documents', 'Invoices', 'Invoices / PDF'])
})

test('a node is moved neither below itself, nor beside its name, nor to where it is, nor on a stale version', async () => {
  await map('add_node', { name: 'A' })
  await map('add_node', { name: 'B', parent_id: 'A' })
  await map('add_node', { name: 'C', parent_id: 'B' })
  await map('add_node', { name: 'a', parent_id: 'C' })
  const move = (id: string, parent_id: string | null, version?: number) =>
    refusal(map('move_node', { id, parent_id, ...(version === undefined ? {} : { version }) }))
  assert.match((await move('A / B', 'A / B')).publicMessage, /below itself/)
  assert.match((await move('B', 'C')).publicMessage, /below itself/)
  assert.match((await move('A / B / C / a', null)).publicMessage, /Another node here is named "a"/)
  assert.match((await move('B', 'A / B / C / nothing')).publicMessage, /No node of this workspace/)
  assert.equal((await move('C', 'B')).code, 'invalid_input')
  const staleNode = await move('C', null, 7)
  assert.equal(staleNode.code, 'conflict')
  assert.partialDeepStrictEqual(staleNode.context, { current: { name: 'C', version: 1 } })
  assert.deepEqual(await paths(), ['A', 'A / B', 'A / B / C', 'A / B / C / a'])
})

test('two moves at once that would make a circle together do not', async () => {
  await map('add_node', { name: 'A' })
  await map('add_node', { name: 'B' })
  const moves = [map('move_node', { id: 'A', parent_id: 'B' }), map('move_node', { id: 'B', parent_id: 'A' })]
  const settled = await Promise.allSettled(moves)
  assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await paths()).length, 2)
})

test('a changed map is anchored again by one job, which every change names but that of a name alone; a change of nothing is refused', async () => {
  const { data: node } = await map('add_node', { name: 'Exports' })
  const { data: renamed } = await map('update_node', { id: node.id, name: 'Export' })
  assert.equal(renamed.re_anchoring.job_id, null)
  const { data: changed } = await map('update_node', { id: node.id, description: 'Getting data out.' })
  assert.notEqual(node.re_anchoring.job_id, null)
  assert.equal(changed.re_anchoring.job_id, node.re_anchoring.job_id)
  const { data: jobs } = await workspace.call('service_support', 'jobs')
  assert.deepEqual(
    jobs.items.map((job: { id: string; kind: string }) => [job.id, job.kind]),
    [[node.re_anchoring.job_id, 're_anchor']],
  )
  await assert.rejects(map('update_node', { id: node.id, name: 'Export' }), failsWith('invalid_input', /Nothing would/))
  await assert.rejects(map('update_node', { id: node.id }), failsWith('invalid_input', /Nothing would/))
})

test('signals are counted at a node and below it', async () => {
  const { data: root } = await map('add_node', { name: 'Exports' })
  const { data: child } = await map('add_node', { name: 'CSV', parent_id: root.id })
  await map('add_node', { name: 'Imports' })
  await workspace.signal({ text: 'The export hangs.', nodeId: root.id })
  await workspace.signal({ text: 'The CSV is broken.', nodeId: child.id })
  await workspace.signal({ text: 'The CSV is empty.', nodeId: child.id })
  const counts = ({ data }: Awaited<ReturnType<typeof map>>) =>
    data.items.map((node: Record<string, unknown>) => [node.signals, node.subtree_signals, node.subtree_nodes])
  const expected = [
    [1, 3, 1],
    [2, 2, 0],
    [0, 0, 0],
  ]
  assert.deepEqual(counts(await map('read')), expected)
  assert.deepEqual(counts(await map('read', { depth: 'summary' })), expected)
  assert.deepEqual(counts(await map('read', { id: 'CSV' })), expected.slice(1, 2))
})

test('a map of 2,000 nodes is read within the budget at every depth, whole by its pages, and as an outline at once', async () => {
  await largeMap()
  const tokens = (answer: unknown) => countTokens(JSON.stringify(answer))
  for (const depth of ['standard', 'full']) assert.ok(tokens(await map('read', { depth, limit: 100 })) <= 10_000, depth)
  const summary = await map('read', { depth: 'summary' })
  assert.ok(tokens(summary) < 800, `${tokens(summary)} tokens`)
  assert.deepEqual([summary.data.nodes, summary.data.levels], [2000, { shown: 1, total: 3 }])
  assert.equal(summary.data.count, 20)
  const below = await map('read', { depth: 'summary', id: 'Area 7', levels: 2, limit: 100 })
  assert.deepEqual([below.data.count, below.data.nodes], [10, 100])
  assert.ok(tokens(below) < 800)
  const seen = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page = await map('read', { limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    for (const node of page.data.items) seen.add(node.id)
    cursor = page.meta.next_cursor ?? undefined
    if (cursor === undefined) break
  }
  assert.equal(seen.size, 2000)
})

test('one node with as much text as it may have is cut, and says how to get the rest', async () => {
  const examples = Array.from({ length: 20 }, (_, index) => `${index} ${'輸出が壊れています。'.repeat(190)}`)
  const input = { name: '輸出', description: '説明'.repeat(2000), examples }
  const added = await map('add_node', input)
  for (const answer of [added, await map('read', { depth: 'full' })]) {
    assert.ok(countTokens(JSON.stringify(answer)) <= 10_000)
    const node = answer.data.items?.[0] ?? answer.data
    assert.match(node.description_truncation.full_text_call, /service_lookup mode node, id .*, list texts/)
    assert.equal(node.examples_truncation.total_characters, examples.join('').length)
  }
})

const paths = async (): Promise<string[]> =>
  (await map('read')).data.items.map((node: { path: string[] }) => node.path.join(' / '))

/** 20 areas of 9 parts, which have ten features each, and one more area to make it 2,000. */
const largeMap = () =>
  kit.database.pool.query(
    `with root as (
       insert into map_nodes (id, workspace_id, name, description, examples)
       select gen_random_uuid(), $1, 'Area ' || area, repeat('What belongs to this area. ', 40), array[repeat('It hangs. ', 60)]
       from generate_series(1, 20) as area returning id),
     part as (
       insert into map_nodes (id, workspace_id, parent_id, name, description)
       select gen_random_uuid(), $1, root.id, 'Part ' || part, repeat('What belongs to this part. ', 20)
       from root cross join generate_series(1, 9) as part returning id)
     insert into map_nodes (id, workspace_id, parent_id, name, description)
     select gen_random_uuid(), $1, part.id, 'Feature ' || feature, 'What people do here.'
     from part cross join generate_series(1, 10) as feature`,
    [workspace.id],
  )

test('a Signal that is moved to a node stays there and teaches it, until that is taken back', async () => {
  const { data: first } = await map('add_node', { name: 'Exports' })
  const { data: second } = await map('add_node', { name: 'Invoices' })
  const { id } = await workspace.signal({ text: 'The invoice is empty', nodeId: first.id })
  const moved = await map('move_signal', { signal_id: id, node_id: 'Invoices' })
  assert.deepEqual([moved.data.signal.node.name, moved.data.signal.node.score, moved.data.examples], ['Invoices', 1, 1])
  await assert.rejects(map('move_signal', { signal_id: id, node_id: 'Exports', version: 1 }), failsWith('conflict'))
  assert.equal((await map('move_signal', { signal_id: id, node_id: second.id })).data.examples, 1)
  assert.equal((await map('move_signal', { signal_id: id })).data.signal.node.name, 'Exports')
  await assert.rejects(map('move_signal', { signal_id: id }), failsWith('conflict'))
  await assert.rejects(map('move_signal', { signal_id: id, node_id: 'Nowhere' }), failsWith('not_found'))
})
