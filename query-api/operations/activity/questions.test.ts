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
test('a refused field of a question says what the question takes', async () => {
  await assert.rejects(
    analyze({ question: 'funnel', group_by: ['kind'], time: { granularity: 'day' } }),
    failsWith(
      'invalid_input',
      /^group_by, time.granularity is not a field of question funnel, which takes .*time, clock, compare/,
    ),
  )
})

test('latency is from receipt to insert, of what was inserted', async () => {
  await record(
    ...[100, 200, 400].map(elapsed_ms => ({ step: 'insert', outcome: 'next', elapsed_ms, channel: 'webhook' })),
    { step: 'insert', outcome: 'retry', elapsed_ms: 9000, channel: 'webhook' },
    { step: 'dedup', outcome: 'next', elapsed_ms: 50, channel: 'webhook' },
    { step: 'insert', outcome: 'next', elapsed_ms: 7, channel: 'email', source: 'a' },
  )
  const { data } = await analyze({ question: 'latency', group_by: ['channel', 'source'] })
  assert.deepEqual(data.items, [
    {
      period: null,
      group: { channel: 'webhook', source: '' },
      metrics: { p95_elapsed_ms: 400, p50_elapsed_ms: 200, count: 3 },
    },
    {
      period: null,
      group: { channel: 'email', source: 'a' },
      metrics: { p95_elapsed_ms: 7, p50_elapsed_ms: 7, count: 1 },
    },
  ])
})

test('the funnel follows the signals of a time to what they are now', async () => {
  const { pool } = kit.database
  const [first, second] = [await workspace.signal({ text: 'It crashes' }), await workspace.signal({ text: 'It hangs' })]
  const claim = await workspace.claim('Unstable', [first, second])
  const lonely = await workspace.signal({ text: 'It is too blue' })
  await workspace.claim('Blue', [lonely])
  await workspace.signal({ text: 'How do I export?' })
  const metric = newId()
  const [solution, other] = [newId(), newId()]
  await pool.query(
    `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', 'Churn', '\\x00')`,
    [metric, workspace.id],
  )
  await pool.query(
    `insert into solutions (id, workspace_id, number, title, state) values ($1, $3, 1, 'Fix', 'Done'), ($2, $3, 2, 'Other', 'Planned')`,
    [solution, other, workspace.id],
  )
  await pool.query(
    'insert into solution_claims (workspace_id, solution_id, claim_id) values ($1, $2, $4), ($1, $3, $4)',
    [workspace.id, solution, other, claim.id],
  )
  const ids = Array.from({ length: 6 }, () => newId())
  await record(
    ...ids.map(subject_id => ({ kind: 'signal.received' as const, subject_id })),
    ...ids.slice(0, 4).map(subject_id => ({ subject_id, step: 'insert', outcome: 'next' })),
    { kind: 'source.refused', times: 4, source_id: newId() },
    { kind: 'source.refused', times: 50, source_id: metric },
    { kind: 'signal.received', subject_id: newId(), occurred_at: Date.parse('2026-04-20T00:00:00Z') },
  )
  const time = { from: '2026-05-01T00:00:00Z', to: '2026-06-01T13:00:00Z' }
  const { data } = await analyze({ question: 'funnel', time, compare: true })
  const stages = data.items.map((item: { group: object; metrics: object; before: { count: number } }) => [
    ...Object.values(item.group),
    ...Object.values(item.metrics),
    item.before.count,
  ])
  assert.deepEqual(stages, [
    ['received', 10, 1, 1, 1],
    ['accepted', 6, 0.6, 0.6, 1],
    ['deduplicated', 4, 0.4, 0.6667, 0],
    ['in_claim', 3, 0.3, 0.75, 0],
    ['in_solution', 2, 0.2, 0.6667, 0],
    ['done', 2, 0.2, 1, 0],
  ])
})

test('sources are told with their health, the worst first', async () => {
  const names = ['refusing', 'unused', 'fine', 'silent'] as const
  const ids = new Map(names.map(name => [name as string, newId() as string]))
  for (const [name, id] of ids) {
    await kit.database.pool.query(
      `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', $3, '\\x00')`,
      [id, workspace.id, name],
    )
  }
  const received = (name: string, known: object = {}) => ({
    kind: 'metric.received' as const,
    source_id: ids.get(name) ?? '',
    ...known,
  })
  await record(
    received('refusing'),
    received('refusing', { kind: 'source.refused', times: 3, reason: 'bad_secret' }),
    received('fine'),
    received('silent', { occurred_at: kit.now.getTime() - 40 * 86_400_000 }),
  )
  const { data } = await analyze({ question: 'sources', limit: 3 })
  assert.equal(data.count, 4)
  assert.deepEqual(
    data.items.map((item: { group: { source: string; health: string; refused_for: string }; metrics: object }) => [
      item.group.source,
      item.group.health,
      item.group.refused_for,
      ...Object.values(item.metrics),
    ]),
    [
      ['refusing', 'refusing', 'bad_secret', 1, 3, 0.25, 1],
      ['silent', 'silent', '', 0, 0, null, 40 * 24 * 60],
      ['unused', 'unused', '', 0, 0, null, null],
    ],
  )
})

test('what rose beyond chance is told, and what is as it was is not', async () => {
  const arrived = (node_id: string, daysAgo: number, count: number) =>
    Array.from({ length: count }, () => ({
      step: 'dedup',
      outcome: 'skip',
      node_id,
      occurred_at: kit.now.getTime() - daysAgo * 86_400_000,
    }))
  await record(...arrived('steady', 3, 10))
  const { data: young } = await analyze({ question: 'trending' })
  assert.deepEqual([young.items, young.note.includes('nothing to compare with')], [[], true])

  await record(
    ...[10, 17, 24, 34].flatMap(daysAgo => arrived('steady', daysAgo, 10)),
    ...arrived('rising', 2, 30),
    ...arrived('rising', 20, 8),
    ...arrived('new', 2, 9),
    ...arrived('once', 2, 1),
    ...arrived('falling', 20, 90),
    // On its way, and not counted again at each step.
    ...arrived('steady', 1, 50).map(event => ({ ...event, outcome: 'next' })),
  )
  const { data } = await analyze({ question: 'trending' })
  assert.deepEqual(
    data.items.map((item: { group: object; metrics: { count: number; expected: number } }) => [
      ...Object.values(item.group),
      item.metrics.count,
      item.metrics.expected,
    ]),
    [
      ['rising', 30, 2.074],
      ['new', 9, 0],
    ],
  )
  const filters = [{ field: 'outcome', op: 'in', values: ['next'] }]
  const { data: steps } = await analyze({ question: 'trending', filters })
  assert.deepEqual(steps.items[0].group, { node: 'steady' })
})
