import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, startOperationsWithActivity } from '../testing-activity.ts'

let kit: ActivityKit
let workspace: Workspace

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const record = (...records: Partial<ActivityRecord>[]) => kit.record(workspace.id, ...records)

const analyze = (input: object) => workspace.call('service_analyze', 'activity', input)

test('what was received is counted by source, the most first, and another workspace counts nothing', async () => {
  for (const source of ['forum', 'desk', 'desk']) {
    await record({ kind: 'signal.received', subject_id: newId(), source, actor: 'one' })
  }
  const input = {
    metrics: ['count', 'distinct_signals', 'distinct_actors'],
    group_by: ['source'],
    filters: [{ field: 'kind', op: 'in', values: ['signal.received'] }],
  }
  const { data } = await analyze(input)
  assert.deepEqual(data.items, [
    { period: null, group: { source: 'desk' }, metrics: { count: 2, distinct_signals: 2, distinct_actors: 1 } },
    { period: null, group: { source: 'forum' }, metrics: { count: 1, distinct_signals: 1, distinct_actors: 1 } },
  ])
  const stranger = await kit.workspace()
  const { data: nothing } = await stranger.call('service_analyze', 'activity', input)
  assert.deepEqual(nothing.items, [])
})

test('durations are measured and work units summed', async () => {
  await record(
    ...[1, 2, 3, 4, 100].map(duration_ms => ({ kind: 'tool.call' as const, tool: 't', duration_ms, work_units: 3 })),
  )
  const { data } = await analyze({ metrics: ['p50_duration_ms', 'p95_duration_ms', 'work_units'] })
  assert.deepEqual(data.items[0].metrics, { p50_duration_ms: 3, p95_duration_ms: 100, work_units: 15 })
})

test('a question about nothing answers figures that are numbers', async () => {
  const { data } = await analyze({ metrics: ['count', 'p95_duration_ms'] })
  assert.deepEqual(data.items, [{ period: null, group: {}, metrics: { count: 0, p95_duration_ms: 0 } }])
})

test('days are those of the time zone asked for', async () => {
  await record(
    { occurred_at: Date.parse('2026-05-10T21:30:00Z') },
    { occurred_at: Date.parse('2026-05-10T22:30:00Z') },
    { occurred_at: Date.parse('2026-05-11T08:00:00Z') },
  )
  const days = async (time_zone: string, granularity: string) => {
    const time = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z', granularity, time_zone }
    const { data } = await analyze({ time })
    return data.items.map((item: { period: string; metrics: { count: number } }) => [item.period, item.metrics.count])
  }
  assert.deepEqual(await days('UTC', 'day'), [
    ['2026-05-10T00:00:00+0000', 2],
    ['2026-05-11T00:00:00+0000', 1],
  ])
  assert.deepEqual(await days('Europe/Berlin', 'day'), [
    ['2026-05-10T00:00:00+0200', 1],
    ['2026-05-11T00:00:00+0200', 2],
  ])
  assert.deepEqual(await days('Asia/Kolkata', 'hour'), [
    ['2026-05-11T03:00:00+0530', 1],
    ['2026-05-11T04:00:00+0530', 1],
    ['2026-05-11T13:00:00+0530', 1],
  ])
  assert.deepEqual(await days('UTC', 'minute'), [
    ['2026-05-10T21:30:00+0000', 1],
    ['2026-05-10T22:30:00+0000', 1],
    ['2026-05-11T08:00:00+0000', 1],
  ])
  assert.deepEqual(await days('UTC', 'week'), [
    ['2026-05-04T00:00:00+0000', 2],
    ['2026-05-11T00:00:00+0000', 1],
  ])
  assert.deepEqual(await days('America/New_York', 'month'), [['2026-05-01T00:00:00-0400', 3]])
})

test('filters take, leave and search; their values are only ever values', async () => {
  const hostile = `' OR 1 = 1 --`
  await record({ source: 'Forum' }, { source: 'desk' }, { source: hostile })
  const count = async (op: string, values: string[]) => {
    const { data } = await analyze({ filters: [{ field: 'source', op, values }] })
    return data.items[0].metrics.count
  }
  assert.equal(await count('in', ['Forum', 'desk']), 2)
  assert.equal(await count('not_in', ['Forum']), 2)
  assert.equal(await count('contains', ['FOR', 'nothing']), 1)
  assert.equal(await count('in', [hostile]), 1)
  assert.equal(await count('in', ["nobody' OR workspace_id != '"]), 0)
})

test('a metric, field, operator or order that is not on the list is refused', async () => {
  const refused = [
    { metrics: ['count()'] },
    { group_by: ['workspace_id'] },
    { filters: [{ field: 'workspace_id', op: 'in', values: ['x'] }] },
    { filters: [{ field: 'source', op: '= 1 OR', values: ['x'] }] },
    { order: { by: 'period' } },
    { order: { by: 'work_units' } },
    { time: { time_zone: 'Mars/Olympus' } },
    { time: { from: 'yesterday' } },
    { time: { from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' } },
  ]
  for (const input of refused) await assert.rejects(analyze(input), failsWith('invalid_input'), JSON.stringify(input))
})

test('rows go on with the cursor, each once', async () => {
  await record(...['a', 'b', 'c', 'd', 'e'].map(source => ({ source })))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await analyze({ group_by: ['source'], limit: 2, ...(cursor ? { cursor } : {}) })
    assert.equal(data.count, 5)
    seen.push(...data.items.map((item: { group: { source: string } }) => item.group.source))
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e'])
})
