import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { storePoints } from '../../../model/metrics/points.ts'
import { type MetricPointId, newId, type SourceId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
let metricId: SourceId
let logged = 0

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  metricId = await metric('Failed exports')
  await map('add_node', { name: 'Exports' })
})

const map = (mode: string, input: object = {}) => workspace.call('service_map', mode, input)

const metric = async (name: string, of: Workspace = workspace): Promise<SourceId> => {
  const id = newId<SourceId>()
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', $3, '\\x00')`,
    [id, of.id, name],
  )
  return id
}

/** Puts a point where the sink puts it. */
const point = (value: number, at: string, receivedAt = at, id = newId<MetricPointId>()) => {
  logged += 1
  const received = { point_id: id, workspace_id: workspace.id, metric_id: metricId, value }
  const times = { occurred_at: Date.parse(at), received_at: Date.parse(receivedAt) }
  const place = { log_partition: 0, log_offset: logged, logged_at: Date.parse('2026-05-01') + logged }
  return kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, transaction =>
    storePoints(transaction, [{ ...received, ...times, ...place }]),
  )
}

const boundMetric = async () => (await map('read')).data.items[0].metrics[0]

test('a bound metric shows its newest point, the one before, and which way it went', async () => {
  const { data: node } = await map('bind_metric', {
    id: 'exports',
    metric_id: 'failed EXPORTS',
    direction: 'down_is_good',
    target: 2,
  })
  const bound = {
    metric_id: metricId,
    name: 'Failed exports',
    direction: 'down_is_good',
    target: 2,
    is_receiving: true,
  }
  const none = { newest: null, previous: null, change: null, on_target: null, from_target: null }
  assert.deepEqual(node.metrics, [{ ...bound, ...none }])

  await point(5, '2026-04-02T00:00:00.000Z')
  await point(9, '2026-04-01T00:00:00.000Z', '2026-04-03T00:00:00.000Z')
  assert.deepEqual(await boundMetric(), {
    ...bound,
    newest: { value: 5, occurred_at: '2026-04-02T00:00:00.000Z' },
    previous: { value: 9, occurred_at: '2026-04-01T00:00:00.000Z' },
    change: 'better',
    on_target: false,
    from_target: 3,
  })
  await point(5, '2026-04-03T00:00:00.000Z')
  assert.equal((await boundMetric()).change, 'same')
  await point(6, '2026-04-04T00:00:00.000Z')
  assert.equal((await boundMetric()).change, 'worse')
  await point(2, '2026-04-05T00:00:00.000Z')
  assert.equal((await boundMetric()).on_target, true)
})

test('of two points at one instant the one first received later counts, also after a late retry of the other', async () => {
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'up_is_good' })
  const first = newId<MetricPointId>()
  await point(5, '2026-04-01T00:00:00Z', '2026-04-01T08:00:00Z', first)
  await point(6, '2026-04-01T00:00:00Z', '2026-04-01T09:00:00Z')
  await point(5, '2026-04-01T00:00:00Z', '2026-04-01T10:00:00Z', first)
  const { newest, previous } = await boundMetric()
  assert.deepEqual([newest.value, previous], [6, null])
})

test('bound again, direction, name and target change; what is not given stays', async () => {
  await map('bind_metric', {
    id: 'Exports',
    metric_id: metricId,
    direction: 'up_is_good',
    metric_name: 'Done',
    target: 9,
  })
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'down_is_good' })
  const { name, direction, target } = await boundMetric()
  assert.deepEqual([name, direction, target], ['Done', 'down_is_good', 9])
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'down_is_good', target: null })
  assert.equal((await boundMetric()).target, null)
  assert.equal((await map('read')).data.items[0].metrics.length, 1)
})

test('an unbound metric is gone from the node, and unbinding it again is refused', async () => {
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'up_is_good' })
  const { data: node } = await map('unbind_metric', { id: 'Exports', metric_id: 'Failed exports' })
  assert.deepEqual(node.metrics, [])
  await assert.rejects(map('unbind_metric', { id: 'Exports', metric_id: metricId }), failsWith('conflict'))
})

test('a deleted webhook’s metric stays where it is bound, says that nothing more comes, and can be unbound', async () => {
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'up_is_good' })
  await kit.database.pool.query('update sources set deleted_at = now() where id = $1', [metricId])
  assert.equal((await boundMetric()).is_receiving, false)
  const again = { id: 'Exports', metric_id: metricId, direction: 'up_is_good' }
  await assert.rejects(map('bind_metric', again), failsWith('conflict'))
  await assert.rejects(map('bind_metric', { ...again, metric_id: 'Failed exports' }), failsWith('not_found'))
  await map('unbind_metric', { id: 'Exports', metric_id: metricId })
})

test('neither another workspace’s metric nor a source of another kind can be bound', async () => {
  const theirs = await metric('Theirs', await kit.workspace())
  const bind = (given: string) => map('bind_metric', { id: 'Exports', metric_id: given, direction: 'up_is_good' })
  await assert.rejects(bind(theirs), failsWith('not_found'))
  await assert.rejects(bind('Theirs'), failsWith('not_found'))
  await metric('Failed exports')
  await assert.rejects(bind('Failed exports'), failsWith('ambiguous'))
})

test('a node takes its bindings along when it is removed', async () => {
  await map('bind_metric', { id: 'Exports', metric_id: metricId, direction: 'up_is_good' })
  await map('remove_node', { id: 'Exports' })
  const { rows } = await kit.database.pool.query(
    'select count(*)::integer as count from metric_bindings where metric_id = $1',
    [metricId],
  )
  assert.equal(rows[0].count, 0)
})

test('a node has at most 20 metrics, and one that it has can be bound again', async () => {
  const ids = await Promise.all(Array.from({ length: 21 }, (_, index) => metric(`Metric ${index}`)))
  const bind = (id: SourceId | undefined) =>
    map('bind_metric', { id: 'Exports', metric_id: id, direction: 'up_is_good' })
  for (const id of ids.slice(0, 20)) await bind(id)
  await assert.rejects(bind(ids[20]), failsWith('conflict', /at most 20/))
  await bind(ids[3])
  const { data } = await node({ depth: 'full' })
  assert.equal(data.node.metrics.length, 20)
})

test('a node is looked up by its path, with its evidence, its claims and where its metrics stand', async () => {
  const { data: csv } = await map('add_node', { name: 'CSV', parent_id: 'Exports', description: 'Comma separated.' })
  const first = await workspace.signal({ text: 'The CSV is broken.', nodeId: csv.id })
  const second = await workspace.signal({ text: 'The CSV is empty.', nodeId: csv.id })
  await workspace.claim('The CSV cannot be used', [first, second])
  await map('bind_metric', { id: 'Exports / CSV', metric_id: metricId, direction: 'down_is_good', target: 2 })
  await point(9, '2026-04-01T00:00:00.000Z')
  await point(5, '2026-04-02T00:00:00.000Z')
  const { data } = await workspace.call('service_lookup', 'node', { id: 'exports / csv' })
  assert.partialDeepStrictEqual(data.node, { path: ['Exports', 'CSV'], description: 'Comma separated.', signals: 2 })
  assert.deepEqual(
    data.signals.items.map((signal: { reference: string }) => signal.reference),
    [second.reference, first.reference],
  )
  assert.partialDeepStrictEqual(data.claims, { count: 1, items: [{ title: 'The CSV cannot be used', signals: 2 }] })
  const [bound] = data.node.metrics
  assert.deepEqual([bound.change, bound.on_target, bound.from_target], ['better', false, 3])
  assert.deepEqual(
    bound.points.map(({ value }: { value: number }) => value),
    [5, 9],
  )
  const { data: above } = await node()
  assert.deepEqual([above.node.signals, above.node.subtree_signals, above.signals.count], [0, 2, 2])
  assert.deepEqual(above.children, [{ id: csv.id, name: 'CSV' }])
})

test('the lists of a node go on with their cursors, and its texts come whole', async () => {
  const description = 'Getting data out. '.repeat(200)
  const examples = ['It hangs.', 'x'.repeat(1500)]
  const { data: csv } = await map('add_node', { name: 'CSV', parent_id: 'Exports', description, examples })
  for (const text of ['One.', 'Two.', 'Three.']) await workspace.signal({ text, nodeId: csv.id })
  const first = await node({ list: 'signals', limit: 2 })
  const second = await node({ list: 'signals', limit: 2, cursor: first.meta.next_cursor })
  assert.deepEqual(
    [...first.data.signals.items, ...second.data.signals.items].map(({ text }) => text),
    ['Three.', 'Two.', 'One.'],
  )
  assert.equal(second.meta.next_cursor, null)
  await assert.rejects(node({ list: 'claims', cursor: first.meta.next_cursor }), failsWith('invalid_input'))
  const pieces: { kind: string; number: number; text: string }[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await node({ id: 'CSV', list: 'texts', limit: 2, ...(cursor === undefined ? {} : { cursor }) })
    pieces.push(...page.data.texts.items)
    cursor = page.meta.next_cursor ?? undefined
    if (cursor === undefined) break
  }
  const joined = (kind: string, number: number) =>
    pieces
      .filter(piece => piece.kind === kind && piece.number === number)
      .map(({ text }) => text)
      .join('')
  assert.deepEqual([joined('description', 0), joined('example', 1), joined('example', 2)], [description, ...examples])
})

test('a node with much of everything stays within the budget at every depth', async () => {
  const long = 'ein langer Text über Ausfuhren, 輸出が壊れています。 '.repeat(36)
  const { data: csv } = await map('add_node', {
    name: 'CSV',
    parent_id: 'Exports',
    description: long,
    examples: Array.from({ length: 20 }, (_, index) => `${index} ${long}`),
  })
  for (let index = 0; index < 20; index += 1) {
    await map('bind_metric', { id: csv.id, metric_id: await metric(`Metric ${index}`), direction: 'up_is_good' })
    await workspace.claim(`Claim ${index}: ${long.slice(0, 160)}`, [
      await workspace.signal({ text: `${index} ${long}`, nodeId: csv.id }),
    ])
  }
  for (const depth of ['summary', 'standard', 'full']) {
    for (const list of ['signals', 'claims', 'texts']) {
      const tokens = countTokens(JSON.stringify(await node({ id: 'CSV', depth, list, limit: 100 })))
      assert.ok(tokens < (depth === 'summary' ? 800 : 10_000), `${depth} ${list}: ${tokens} tokens`)
    }
  }
})

const node = (input: object = {}) => workspace.call('service_lookup', 'node', { id: 'Exports', ...input })

test('a key reads the points of any time, its end not included', async () => {
  for (const [value, day] of [1, 2, 3, 4].entries()) await point(value, `2026-04-0${day}T00:00:00Z`)
  const points = async (input: object) => {
    const { data } = await workspace.call('service_lookup', 'metric_points', { metric_id: 'failed exports', ...input })
    return data.items.map(({ value }: { value: number }) => value)
  }
  assert.deepEqual(await points({}), [0, 1, 2, 3])
  assert.deepEqual(await points({ time: { from: '2026-04-02', to: '2026-04-04' } }), [1, 2])
  assert.deepEqual(await points({ time: { to: '2026-04-03' } }), [0, 1])
  await assert.rejects(points({ time: { from: 'yesterday' } }), failsWith('invalid_input', /time\.from/))
})
