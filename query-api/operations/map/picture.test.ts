import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { NodeId, SourceId } from '../../../schemas/domain/ids.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const POINTS = `
  insert into metric_points
    (id, workspace_id, metric_id, value, occurred_at, dated, received_at, log_partition, log_offset, logged_at)
  select gen_random_uuid(), $1, $2, value, $3::timestamptz - make_interval(days => ago), true, $3, 0, 0, $3
  from unnest($4::double precision[], $5::integer[]) as point (value, ago)`

describe('what the picture of the map is made of', () => {
  let kit: OperationsKit
  let workspace: Workspace

  before(async () => {
    kit = await startOperations()
  })
  after(() => kit.stop())
  beforeEach(async () => {
    workspace = await kit.workspace()
  })

  const add = async (name: string, parent_id: string | null = null): Promise<NodeId> =>
    (await workspace.call('service_map', 'add_node', { name, parent_id })).data.id

  const addMetric = async (name: string): Promise<SourceId> => {
    const id = newId<SourceId>()
    await kit.database.pool.query(
      `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', $3, '\\x00')`,
      [id, workspace.id, name],
    )
    return id
  }

  /** Values by how many days ago they were. */
  const addPoints = (metric: SourceId, points: readonly (readonly [value: number, ago: number])[]) =>
    kit.database.pool.query(POINTS, [
      workspace.id,
      metric,
      kit.now,
      points.map(([value]) => value),
      points.map(([, ago]) => ago),
    ])

  const outline = async (role: 'owner' | 'viewer' = 'owner') => (await workspace.inApp('outline_map', {}, role)).data

  const pointsOf = async (metric_id: string, more: object = {}) =>
    (await workspace.inApp('read_metric_points', { metric_id, ...more }, 'viewer')).data

  it('is nothing where there is no map', async () => {
    assert.deepEqual(await outline(), { count: 0, items: [] })
  })

  it('is every node at once, however many, with its evidence and which way its metrics went', async () => {
    const exports = await add('Exports')
    const csv = await add('CSV', exports)
    await kit.database.pool.query(
      `insert into map_nodes (id, workspace_id, parent_id, name)
       select gen_random_uuid(), $1, $2, 'Part ' || part from generate_series(1, 120) as part`,
      [workspace.id, exports],
    )
    for (const text of ['The CSV is broken.', 'The CSV is empty.']) await workspace.signal({ text, nodeId: csv })
    const metric = await addMetric('Failed exports')
    await workspace.call('service_map', 'bind_metric', { id: csv, metric_id: metric, direction: 'down_is_good' })
    await addPoints(metric, [
      [9, 2],
      [5, 1],
    ])
    const { count, items } = await outline('viewer')
    assert.deepEqual([count, items.length], [122, 122])
    assert.partialDeepStrictEqual(items[0], {
      id: exports,
      parent_id: null,
      signals: 0,
      subtree_signals: 2,
      metrics: [],
    })
    assert.partialDeepStrictEqual(items[1], { id: csv, parent_id: exports, name: 'CSV', version: 1, signals: 2 })
    assert.deepEqual(
      items[1].metrics.map(({ name, change }: { name: string; change: string }) => [name, change]),
      [['Failed exports', 'better']],
    )
  })

  it('has a metric’s points oldest first, whatever order they came in, and as far back as asked', async () => {
    const metric = await addMetric('Failed exports')
    assert.deepEqual(await pointsOf(metric), { metric: { id: metric, name: 'Failed exports' }, count: 0, items: [] })
    await addPoints(metric, [
      [3, 1],
      [1, 40],
      [2, 20],
    ])
    const values = async (more: object) =>
      (await pointsOf('failed exports', more)).items.map(({ value }: { value: number }) => value)
    assert.deepEqual(await values({}), [1, 2, 3])
    assert.deepEqual(await values({ days: 30 }), [2, 3])
  })

  it('thins many points out evenly, and keeps the newest', async () => {
    const metric = await addMetric('Busy')
    const many = Array.from({ length: 2000 }, (_, index) => [index, 2000 - index] as const)
    await addPoints(metric, many)
    const { count, items } = await pointsOf(metric)
    assert.deepEqual([count, items.length, items.at(-1).value], [2000, 500, 1999])
    const steps = new Set(items.slice(1).map(({ value }: { value: number }, at: number) => value - items[at].value))
    assert.deepEqual([...steps], [4])
  })

  it('refuses a time that is none, and does not know another workspace’s metric by id or name', async () => {
    const metric = await addMetric('Failed exports')
    await addPoints(metric, [[1, 1]])
    for (const days of [0, -1, 1.5, 100_000, '30']) {
      await assert.rejects(pointsOf(metric, { days }), failsWith('invalid_input', /days/), String(days))
    }
    workspace = await kit.workspace()
    await assert.rejects(pointsOf(metric), failsWith('not_found'))
    await assert.rejects(pointsOf('Failed exports'), failsWith('not_found'))
  })
})
