import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { EMBEDDING_DIMENSIONS } from '../../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { failsWith, type Workspace } from '../testing.ts'
import { type ActivityKit, anyActivityInput, startOperationsWithActivity, walked } from '../testing-activity.ts'

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
    await record(...walked(newId(), 'insert', 'next', { source, actor: 'one' }))
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

test('says where its figures are of events, and what counts for a claim', async () => {
  const noteOf = async (input: object): Promise<string | null> => (await analyze(input)).data.note
  const inserted = [{ field: 'step', op: 'in', values: ['insert'] }]
  assert.match(
    String(await noteOf({ filters: [{ field: 'channel', op: 'in', values: ['email'] }] })),
    /count is of events/,
  )
  const classified = { metrics: ['distinct_signals', 'distinct_actors'], group_by: ['classification'] }
  assert.match(String(await noteOf(classified)), /An empty group holds/)
  assert.match(String(await noteOf({ group_by: ['claim'], filters: inserted })), /Claims are those of now/)
  assert.equal(await noteOf({ metrics: ['distinct_signals'], group_by: ['node'] }), null)
  assert.equal(await noteOf({ group_by: ['node'], filters: inserted }), null)
  assert.equal(await noteOf({ metrics: ['distinct_signals'], group_by: ['source'] }), null)
})

type Row = Readonly<Record<'group' | 'metrics', Readonly<Record<string, unknown>>>>

test('signals that are counted by what is known of them have no group of nothing beside', async () => {
  const known = { classification: 'problem', source: 'desk' } as const
  for (const end of ['insert', 'dedup'] as const) {
    const id = newId()
    // As the edge records it: nothing was read yet.
    await record(
      { kind: 'signal.received', subject_id: id },
      ...walked(id, end, end === 'insert' ? 'next' : 'skip', known).slice(1),
    )
  }
  for (const field of ['source', 'classification'] as const) {
    const { items, note } = (await analyze({ metrics: ['distinct_signals'], group_by: [field] })).data
    assert.deepEqual(
      items.map((row: Row) => [row.group[field], row.metrics.distinct_signals]),
      [[known[field], 1]],
    )
    assert.equal(note, null)
  }
  const { items } = (await analyze({ metrics: ['distinct_signals_and_repeats'], group_by: ['source'] })).data
  assert.deepEqual(
    items.map((row: Row) => [row.group.source, row.metrics.distinct_signals_and_repeats]),
    [['desk', 2]],
  )
})

test('a field that the counted events do not have is refused, with the kinds that have it', async () => {
  await record(...walked(newId(), 'insert', 'next', { classification: 'problem' }))
  const received = [{ field: 'kind', op: 'in', values: ['signal.received'] }]
  const says = failsWith('invalid_input', /signal\.received have no step.*signal\.step, signal\.dead_letter/)
  await assert.rejects(analyze({ filters: received, group_by: ['step'] }), says)
  const inserted = { field: 'step', op: 'in', values: ['insert'] }
  await assert.rejects(analyze({ filters: [...received, inserted] }), says)
})

const groupsOf = async (field: string, input: object = {}) =>
  new Map<unknown, unknown>(
    (await analyze({ group_by: [field], filters: RECEIVED, ...input })).data.items.map((row: Row) => [
      row.group[field],
      row.metrics.count,
    ]),
  )
const RECEIVED = [{ field: 'kind', op: 'in', values: ['signal.received'] }]

test('signals received are counted by what they are classified as now, in every period', async () => {
  const receivedAt = new Date(kit.now.getTime() - 60_000)
  const stored = { receivedAt, occurredAt: receivedAt }
  const problem = await workspace.signal({ text: 'Exports hang.', classification: 'problem', ...stored })
  const idea = await workspace.signal({ text: 'Add a dark theme.', classification: 'idea', ...stored })
  const repeat = await workspace.occurrence(problem.id, { text: 'Exports hang!', ...stored })
  // Nothing is read yet when it is received, and what died is of no kind.
  await record(
    ...[problem.id, idea.id, repeat, newId()].map(id => ({ kind: 'signal.received' as const, subject_id: id })),
  )
  const time = { from: '2026-05-01', to: '2026-07-01' }
  const counted = { problem: 2, idea: 1, '': 1 }
  assert.deepEqual(Object.fromEntries(await groupsOf('classification', { time })), counted)
  const { items, note } = (
    await analyze({ group_by: ['classification'], filters: RECEIVED, time: { ...time, granularity: 'day' } })
  ).data
  assert.equal(items.length, 3)
  assert.match(note, /Classifications are those of now/)
  const problems = [...RECEIVED, { field: 'classification', op: 'in', values: ['problem'] }]
  assert.equal((await analyze({ filters: problems, time })).data.items[0].metrics.count, 2)
  await workspace.call('service_decide', 'triage', {
    action: 'reclassify',
    signal_id: idea.id,
    classification: 'problem',
  })
  assert.deepEqual(Object.fromEntries(await groupsOf('classification', { time })), { problem: 3, '': 1 })
})

test('signals are counted by account, plan and language, as metadata tells them in any letter case', async () => {
  const receivedAt = new Date(kit.now.getTime() - 60_000)
  const stored = { receivedAt, occurredAt: receivedAt }
  const told = [
    { company: 'Acme', plan: '3', language: 'de' },
    { account: 'Acme', plan: 'Team; big, 1', locale: 'de' },
    { organization: 'ACME' },
    { company: '0', plan: 'Team; big, 1' },
    {},
  ]
  for (const [place, metadata] of told.entries()) {
    const { id } = await workspace.signal({ text: `It hangs, ${place}.`, metadata, ...stored })
    await record(...walked(id, 'insert', 'next'))
  }
  const time = { from: '2026-05-01', to: '2026-07-01' }
  assert.deepEqual(Object.fromEntries(await groupsOf('account', { time })), { Acme: 3, 0: 1, '': 1 })
  assert.deepEqual(Object.fromEntries(await groupsOf('plan', { time })), { 'Team; big, 1': 2, 3: 1, '': 2 })
  assert.deepEqual(Object.fromEntries(await groupsOf('language', { time })), { de: 2, '': 3 })
  const count = async (field: string, op: string, ...values: string[]) =>
    (await analyze({ filters: [...RECEIVED, { field, op, values }], time })).data.items[0].metrics.count
  assert.deepEqual(
    [
      await count('account', 'in', 'aCme'),
      await count('account', 'not_in', 'acme'),
      await count('account', 'in', ''),
      await count('account', 'contains', 'CM'),
      await count('plan', 'in', '3'),
      await count('plan', 'in', 'team; BIG, 1'),
    ],
    [3, 2, 1, 3, 1, 2],
  )
  for (const field of ['account', 'plan', 'language'])
    await assert.rejects(
      count(field, 'in', 'Acmee'),
      failsWith('invalid_input', new RegExp(`Nothing has ${field} "Acmee"`)),
    )
  // Told at another time: none of this one, and no other value's.
  await workspace.signal({
    text: 'It hung before.',
    metadata: { plan: '1' },
    receivedAt: new Date('2026-01-02'),
    occurredAt: new Date('2026-01-01'),
  })
  assert.equal(await count('plan', 'in', '1'), 0)
})

test('whoever said it is counted, grouped and found by name, and a name of nobody is refused with the nearest', async () => {
  for (const [place, actorName] of ['Ben Carter', 'Ben Carter', 'Ada Long'].entries()) {
    const of = { actorName, actorKey: actorName === 'Ben Carter' ? 'key of ben' : 'key of ada' }
    const { id } = await workspace.signal({ text: `It hangs, ${place}.`, occurredAt: kit.now, ...of })
    await record(...walked(id, 'insert', 'next', { occurred_at: kit.now.getTime(), happened_at: kit.now.getTime() }))
  }
  const time = { from: '2026-05-01', to: '2026-07-01' }
  const stored = [{ field: 'step', op: 'in', values: ['insert'] }]
  const { data } = await analyze({ metrics: ['count', 'distinct_actors'], group_by: ['actor'], filters: stored, time })
  assert.deepEqual(
    data.items.map((item: { named: { actor: { title: string } }; metrics: object }) => [
      item.named.actor.title,
      item.metrics,
    ]),
    [
      ['Ben Carter', { count: 2, distinct_actors: 1 }],
      ['Ada Long', { count: 1, distinct_actors: 1 }],
    ],
  )
  const countOf = async (op: string, value: string): Promise<number> => {
    const filters = [...stored, { field: 'actor', op, values: [value] }]
    return (await analyze({ metrics: ['count'], filters, time })).data.items[0].metrics.count
  }
  assert.equal(
    (await analyze({ metrics: ['distinct_actors'], filters: stored, time })).data.items[0].metrics.distinct_actors,
    2,
  )
  const noteOf = async () => (await analyze({ metrics: ['distinct_actors'], filters: stored, time })).data.note
  assert.equal(await noteOf(), null)
  for (const source of ['desk', 'forum']) {
    const own = { source, actorName: 'Cleo', occurredAt: kit.now }
    const { id } = await workspace.signal({ text: `It sings at the ${source}.`, ...own })
    await record(
      ...walked(id, 'insert', 'next', { occurred_at: kit.now.getTime(), happened_at: kit.now.getTime(), source }),
    )
  }
  assert.match(await noteOf(), /in this time, some names stand for several actors/)
  assert.deepEqual([await countOf('in', 'ben carter'), await countOf('not_in', 'Ben Carter')], [2, 3])
  assert.deepEqual([await countOf('contains', 'long'), await countOf('in', 'key of ben')], [1, 2])
  await assert.rejects(countOf('in', 'Ben Karter'), failsWith('invalid_input', /nearest that there are: .*Ben Carter/))
})

test('durations are measured, of what takes time, and work units summed', async () => {
  await record(
    ...[1, 2, 3, 4, 100].map(duration_ms => ({ kind: 'tool.call' as const, tool: 't', duration_ms, work_units: 3 })),
    { kind: 'decision.made', actor: 'one' },
  )
  // Actors are not in the rollups, whose quantiles are 1 % off.
  const filters = [{ field: 'actor', op: 'not_in', values: ['one'] }]
  const { data } = await analyze({ metrics: ['p50_duration_ms', 'p95_duration_ms', 'work_units'], filters })
  assert.deepEqual(data.items[0].metrics, { p50_duration_ms: 3, p95_duration_ms: 100, work_units: 15 })
  assert.equal(data.rollup, null)
})

test('of nothing there is nothing to measure', async () => {
  const metrics = ['count', 'p95_duration_ms', 'p50_elapsed_ms', 'acceptance_rate']
  const nothing = { count: 0, p95_duration_ms: null, p50_elapsed_ms: null, acceptance_rate: null }
  const rolled = await analyze({ metrics })
  assert.deepEqual(rolled.data.items, [{ period: null, group: {}, metrics: nothing }])
  const { data } = await analyze({ metrics: [...metrics, 'distinct_signals'] })
  assert.deepEqual(data.items, [{ period: null, group: {}, metrics: { ...nothing, distinct_signals: 0 } }])
})

test('what endpoints accepted is held against what they refused, however many requests a row stands for', async () => {
  await record(
    { kind: 'signal.received', channel: 'webhook' },
    { kind: 'metric.received' },
    { kind: 'code_host.event' },
    // Made of the event above.
    { kind: 'signal.received', channel: 'code_host' },
    { kind: 'source.refused', times: 9, reason: 'bad_signature' },
    { kind: 'tool.call' },
  )
  const { data } = await analyze({ metrics: ['count', 'acceptance_rate'] })
  assert.deepEqual(data.items[0].metrics, { count: 14, acceptance_rate: 0.25 })
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

test('a time without an offset is one of the zone asked for', async () => {
  const asked = (time: object) => analyze({ time }).then(({ data }) => [data.from, data.to])
  assert.deepEqual(await asked({ from: '2026-03-29', to: '2026-03-30T12:00', time_zone: 'Europe/Berlin' }), [
    '2026-03-28T23:00:00.000Z',
    '2026-03-30T10:00:00.000Z',
  ])
  assert.deepEqual(await asked({ from: '2026-03-29T00:00:00+05:30', to: '2026-03-30' }), [
    '2026-03-28T18:30:00.000Z',
    '2026-03-30T00:00:00.000Z',
  ])
})

test('the period before is put beside its counterpart, also where the clocks changed meanwhile', async () => {
  const at = (time: string, source: string) => ({ occurred_at: Date.parse(time), source })
  await record(
    // Half past midnight in Berlin, in winter and in summer.
    at('2026-03-27T23:30:00Z', 'desk'),
    at('2026-03-30T22:30:00Z', 'desk'),
    at('2026-03-30T22:40:00Z', 'forum'),
    at('2026-03-24T12:00:00Z', 'desk'),
  )
  const time = { from: '2026-03-29', to: '2026-04-01', granularity: 'day', time_zone: 'Europe/Berlin' }
  const { data } = await analyze({ time, compare: true, group_by: ['source'] })
  assert.deepEqual(data.items, [
    { period: '2026-03-31T00:00:00+0200', group: { source: 'desk' }, metrics: { count: 1 }, before: { count: 1 } },
    { period: '2026-03-31T00:00:00+0200', group: { source: 'forum' }, metrics: { count: 1 }, before: { count: 0 } },
  ])

  const months = { from: '2026-03-01', to: '2026-04-01', granularity: 'month' }
  await record(at('2026-02-01T00:00:00Z', 'desk'), at('2026-01-31T23:59:59Z', 'desk'))
  const { data: march } = await analyze({ time: months, compare: true })
  assert.deepEqual(march.items, [
    { period: '2026-03-01T00:00:00+0000', group: {}, metrics: { count: 4 }, before: { count: 1 } },
  ])
})

test('the period before is the one that a Product Review compares with, and the answer says it', async () => {
  const compared = async (time: object) => {
    const { data } = await analyze({ time, compare: true, clock: 'received' })
    const { data: review } = await workspace.call('service_analyze', 'prepare_review', { time })
    assert.deepEqual(data.before, { from: review.previous_period_from, to: data.from }, JSON.stringify(time))
    assert.ok(review.text.includes(`compared with ${data.before.from.slice(0, 10)} to `), review.text.slice(0, 200))
    return data.before.from
  }
  kit.now = new Date('2026-04-20T12:00:00Z')
  assert.equal(await compared({ from: '2026-01-01', to: '2026-04-01' }), '2025-10-01T00:00:00.000Z')
  assert.equal(await compared({ from: '2026-03-02', to: '2026-04-01' }), '2026-01-31T00:00:00.000Z')
  assert.equal(await compared({ from: '2026-04-01', to: '2026-07-01' }), '2026-03-12T12:00:00.000Z')
  assert.equal(await compared({ from: '2026-04-01' }), '2026-03-12T12:00:00.000Z')
  const { data } = await analyze({ compare: true, time: { from: '2026-02-01', to: '2026-03-01', granularity: 'day' } })
  assert.equal(data.before.from, '2026-01-01T00:00:00.000Z')
  assert.match(data.note, /Whole months are compared with as many before/)
  assert.equal((await analyze({})).data.before, undefined)
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
})

test('a filter value that names nothing is refused, with what there is; never a silent 0', async () => {
  await record({ source: 'Help desk', actor: 'ada' }, { source: 'Forum', step: 'insert', outcome: 'next' })
  const refusals = [
    ['source', 'Helpdesk', /Nothing has source "Helpdesk"\. The nearest that there are: ‹Help desk›, ‹Forum›/],
    ['actor', "nobody' OR workspace_id != '", /Nothing has actor/],
    ['outcome', 'nxt', /‹next›/],
    ['reason', 'x', /No event of this workspace has that field/],
    ['kind', 'signal.recieved', /It takes signal\.received, /],
    ['step', 'merge', /It takes validate, /],
    ['channel', 'pigeon', /It takes webhook, /],
    ['signal_origin', 'partner', /It takes customer, /],
    ['actor_role', 'ceo', /It takes user, /],
    ['classification', 'bug', /It takes problem, /],
  ] as const
  for (const [field, value, why] of refusals) {
    for (const op of ['in', 'not_in']) {
      await assert.rejects(analyze({ filters: [{ field, op, values: [value] }] }), failsWith('invalid_input', why))
    }
  }
  for (const field of ['node', 'claim']) {
    await assert.rejects(analyze({ filters: [{ field, op: 'in', values: ['Exporst'] }] }), failsWith('not_found'))
  }
})

test('nodes and claims are named in filters as anywhere else, and rows by them say what they are', async () => {
  const node = (await workspace.inApp('add_map_node', { name: 'Exports' })).data
  const receivedAt = new Date(kit.now.getTime() - 60_000)
  const [anchored, other, later] = [
    await workspace.signal({ text: 'Exports time out.', nodeId: node.id, receivedAt }),
    await workspace.signal({ text: 'The export hangs.', receivedAt }),
    await workspace.signal({ text: 'It hung again.', receivedAt }),
  ]
  const claim = await workspace.claim('Exports time out', [anchored])
  const merged = await workspace.claim('The export hangs', [other, later])
  // Whatever they had as they came.
  await record(
    { subject_id: anchored.id },
    { subject_id: other.id, claim_id: claim.id, node_id: node.id },
    { subject_id: later.id },
    { node_id: newId() },
  )
  const count = async (field: string, value: string) =>
    (await analyze({ filters: [{ field, op: 'in', values: [value] }] })).data.items[0].metrics.count
  for (const name of ['exports', node.id]) assert.equal(await count('node', name), 1)
  assert.equal(await count('claim', 'the export HANGS'), 2)
  const pair = await workspace.proposal(merged, claim)
  const settled = { action: 'confirm_merge', proposal_id: pair, survivor_id: claim.reference, comment: 'The same.' }
  const change = (await workspace.call('service_decide', 'triage', settled)).meta.change_id
  for (const name of [claim.reference, merged.reference, 'exports TIME out'])
    assert.equal(await count('claim', name), 3)
  assert.equal(await count('claim', ''), 1)
  await workspace.call('service_decide', 'undo', { change_id: change, comment: 'They are two.' })
  for (const [name, signals] of [
    [claim.reference, 1],
    [merged.reference, 2],
  ] as const)
    assert.equal(await count('claim', name), signals)
  const none = await workspace.claim('Nobody said it')
  assert.equal(await count('claim', none.reference), 0)
  const parts = async (field: string, ...values: string[]) =>
    (await analyze({ filters: [{ field, op: 'contains', values }] })).data.items[0].metrics.count
  assert.deepEqual(
    [await parts('node', 'XPORT'), await parts('claim', 'HANGS'), await parts('claim', 'hangs', 'time')],
    [1, 2, 3],
  )
  for (const field of ['node', 'claim', 'theme'])
    await assert.rejects(parts(field, 'receipt%'), failsWith('invalid_input', /looks for parts of titles/))
  const { data } = await analyze({
    group_by: ['node', 'claim'],
    filters: [{ field: 'claim', op: 'in', values: ['CLM-1', 'CLM-2'] }],
  })
  assert.deepEqual(
    new Set(data.items.map((item: { named?: object }) => item.named)),
    new Set([
      { claim: { reference: 'CLM-2', title: 'The export hangs' } },
      { claim: { reference: 'CLM-1', title: 'Exports time out' }, node: { reference: null, title: 'Exports' } },
    ]),
  )
})

test('rows by theme are those that signals are in now, with what it is called; a repeat is in its original’s', async () => {
  const receivedAt = new Date(kit.now.getTime() - 60_000)
  const [one, other, none] = [
    await workspace.signal({ text: 'Exports time out.', receivedAt }),
    await workspace.signal({ text: 'The export hangs.', receivedAt }),
    await workspace.signal({ text: 'Add a dark theme.', receivedAt }),
  ]
  await record({ subject_id: one.id }, { subject_id: other.id }, { subject_id: none.id })
  await kit.database.database.transaction(
    { role: 'assay_pipeline', workspaceIds: [workspace.id] },
    async transaction =>
      await storeThemes(
        transaction,
        workspace.id,
        [
          {
            name: 'export',
            members: [one, other].map(({ id }) => ({
              ...{ signalId: id, likeness: 5, language: null },
              ...{ start: 0, length: 20 },
            })),
          },
        ],
        {
          ...{ throughNumber: 0, signals: 0, model: BUILT_IN_MODEL, answers: 0 },
          mean: new Float64Array(EMBEDDING_DIMENSIONS),
        },
      ),
  )
  const counts = async (input: object) =>
    (await analyze(input)).data.items.map(
      ({ named, metrics }: { named?: { theme: { reference: string; title: string } }; metrics: { count: number } }) => [
        named?.theme.reference ?? null,
        named?.theme.title ?? null,
        metrics.count,
      ],
    )
  assert.deepEqual(await counts({ group_by: ['theme'] }), [
    ['THM-1', 'export', 2],
    [null, null, 1],
  ])
  for (const [op, value] of [
    ['in', 'THM-1'],
    ['contains', 'XPOR'],
  ])
    assert.deepEqual(await counts({ filters: [{ field: 'theme', op, values: [value] }] }), [[null, null, 2]])
  await assert.rejects(counts({ filters: [{ field: 'theme', op: 'in', values: ['THM-7'] }] }), failsWith('not_found'))
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
    { time: { time_zone: '+02:00' } },
    { time: { from: 'yesterday' } },
    { time: { from: '2026-02-30' } },
    { time: { from: '1066-10-14' } },
    { question: 'funnel', metrics: ['count'] },
    { question: 'sources', compare: true },
    { question: 'trending', time: { granularity: 'day' } },
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

test('pages of CSV join to one file, and an answer of long strange texts stays small', async () => {
  const strange = (index: number) => `=${index},"${'\u{1F9E8}\u0e01§'.repeat(60)}`
  await record(...Array.from({ length: 90 }, (_, index) => ({ source: strange(index), actor: strange(index) })))
  let [csv, pages, cursor] = ['', 0, undefined as string | undefined]
  do {
    const answer = await analyze({ group_by: ['source', 'actor'], format: 'csv', limit: 100, cursor })
    assert.ok(countTokens(JSON.stringify(answer)) < 10_000)
    assert.deepEqual([answer.data.count, answer.data.items], [90, []])
    csv += answer.data.csv
    pages += 1
    cursor = answer.meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  assert.ok(pages > 1)
  const lines = csv.split('\r\n')
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [92, 'source,actor,actor_name,count', ''])
  assert.ok(lines.slice(1, -1).every(line => line.startsWith(`"'=`)))
})

test('no argument reaches the rows of another workspace', async () => {
  const SECRET = 'not-yours'
  const stranger = await kit.workspace()
  const everywhere = {
    source: SECRET,
    actor: SECRET,
    node_id: SECRET,
    claim_id: SECRET,
    reason: SECRET,
    channel: SECRET,
  }
  await kit.record(
    stranger.id,
    ...Array.from({ length: 3 }, () => ({ ...everywhere, kind: 'tool.call' as const, times: 1_000_000, tool: SECRET })),
    { ...everywhere, kind: 'signal.received', subject_id: newId(), times: 1_000_000 },
  )
  await record({ source: 'own', actor: 'own' }, { kind: 'tool.call', tool: 'own' })
  let answered = 0
  await fc.assert(
    fc.asyncProperty(anyActivityInput, async input => {
      const answer = await analyze(input).catch((error: unknown) => {
        assert.ok(isAssayError(error) && ['invalid_input', 'not_found'].includes(error.code), String(error))
        assert.ok(!`${error.publicMessage} ${JSON.stringify(error.context)}`.includes(SECRET), String(error))
      })
      if (answer === undefined) return
      answered += 1
      const text = JSON.stringify(answer.data)
      assert.ok(!text.includes(SECRET) && !/\d00000\d/.test(text), text)
    }),
    { numRuns: 100 },
  )
  assert.ok(answered > 20, `only ${answered} were answered`)
})
