import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { insertActivity } from '../testing-activity.ts'
import { REFUSAL_REASONS } from './refusal-meanings.ts'

const HOUR_MS = 3_600_000

let analytics: TestAnalytics
let kit: OperationsKit
let workspace: Workspace
let away = false

before(async () => {
  analytics = await startTestAnalytics()
  const query: Analytics['query'] = (statement, parameters) =>
    away
      ? Promise.reject(new AssayError('unavailable', 'ClickHouse is away.'))
      : analytics.analytics.query(statement, parameters)
  kit = await startOperations({ ...analytics.analytics, query })
  workspace = await kit.workspace()
})
after(async () => {
  await kit.stop()
  await analytics.stop()
})

const record = (of: Workspace, ...records: Partial<ActivityRecord>[]) =>
  insertActivity(analytics.analytics, of.id, kit.now, records)
const created = async (): Promise<string> =>
  (await workspace.call('service_connect', 'create', { name: 'Survey tool' })).data.id
const figuresOf = async (id: string) => {
  const { data } = await workspace.call('service_connect', 'list', { limit: 100 })
  const { last_seen_at, accepted_last_day, refused_last_day, refusals_last_day } = data.items.find(
    (item: { id: string }) => item.id === id,
  )
  return { last_seen_at, accepted_last_day, refused_last_day, refusals_last_day }
}
const ago = (hours: number) => kit.now.getTime() - hours * HOUR_MS

test('a source that nothing came to has figures, and they are none', async () => {
  assert.deepEqual(await figuresOf(await created()), {
    last_seen_at: null,
    accepted_last_day: 0,
    refused_last_day: 0,
    refusals_last_day: [],
  })
})

test('what was accepted and refused in the last day is counted, floods by how often they happened', async () => {
  const id = await created()
  const received = { kind: 'signal.received', channel: 'connection', source_id: id } as const
  const refused = { kind: 'source.refused', source_id: id } as const
  await record(
    workspace,
    { ...received, occurred_at: ago(1) },
    { ...received, occurred_at: ago(2) },
    { ...received, occurred_at: ago(30) },
    { kind: 'metric.received', source_id: id, occurred_at: ago(3) },
    { kind: 'signal.step', source_id: id, occurred_at: ago(1), step: 'insert', outcome: 'next' },
    { ...refused, reason: 'signature_differs', times: 3, occurred_at: ago(0.5) },
    { ...refused, reason: 'body', times: 40_000, occurred_at: ago(5) },
    { ...refused, reason: 'signature_differs', times: 2, occurred_at: ago(6) },
    { ...refused, reason: 'rate_limited', times: 9, occurred_at: ago(25) },
  )
  const { last_seen_at: last, ...figures } = await figuresOf(id)
  assert.equal(new Date(last).getTime(), ago(0.5))
  assert.deepEqual(figures, {
    accepted_last_day: 3,
    refused_last_day: 40_005,
    refusals_last_day: [
      { reason: 'body', count: 40_000 },
      { reason: 'signature_differs', count: 5 },
    ],
  })
})

test('a code host’s event is counted once, whether it became a signal or not', async () => {
  const id = await created()
  await record(
    workspace,
    { kind: 'code_host.event', channel: 'code_host', source_id: id, occurred_at: ago(1) },
    { kind: 'signal.received', channel: 'code_host', source_id: id, occurred_at: ago(1) },
    { kind: 'code_host.event', channel: 'code_host', source_id: id, occurred_at: ago(2) },
  )
  assert.equal((await figuresOf(id)).accepted_last_day, 2)
})

test('health tells the hours apart, the oldest first, as far back as is asked', async () => {
  const id = await created()
  await record(
    workspace,
    { kind: 'signal.received', source_id: id, occurred_at: ago(50) },
    { kind: 'signal.received', source_id: id, occurred_at: ago(3) },
    { kind: 'signal.received', source_id: id, occurred_at: ago(3) },
    { kind: 'source.refused', source_id: id, reason: 'body', times: 7, occurred_at: ago(3) },
    { kind: 'source.refused', source_id: id, reason: 'body', times: 1, occurred_at: ago(1) },
  )
  const health = async (hours?: number) =>
    (await workspace.call('service_support', 'source', { id, ...(hours && { hours }) })).data
  const day = await health()
  assert.equal(day.source.id, id)
  assert.deepEqual(
    day.items.map(({ hour: _, ...item }: { hour: string }) => item),
    [
      { accepted: 2, refused: 7, refusals: [{ reason: 'body', count: 7 }] },
      { accepted: 0, refused: 1, refusals: [{ reason: 'body', count: 1 }] },
    ],
  )
  assert.equal(new Date(day.items[0].hour).getTime() % HOUR_MS, 0)
  assert.equal((await health(72)).items.length, 3)
})

test('a source’s way: its last requests, what each reason means, and the next step, by its name too', async () => {
  const { data: made } = await workspace.call('service_connect', 'create', { name: 'Way' })
  const { id } = made
  const step = async () => (await workspace.call('service_support', 'source', { id: 'way' })).data.step
  assert.match((await step()).message, /No request has come so far/)
  const signal = newId()
  await record(
    workspace,
    { kind: 'signal.received', source_id: id, subject_id: signal, occurred_at: ago(3) },
    { kind: 'source.refused', source_id: id, reason: 'timestamp_outside', times: 7, occurred_at: ago(2) },
    { kind: 'code_host.event', source_id: id, outcome: 'push', occurred_at: ago(4) },
  )
  const { data } = await workspace.call('service_support', 'source', { id })
  assert.deepEqual(
    data.recent.map(({ at: _, ...request }: { at: string }) => request),
    [
      { accepted: false, reason: 'timestamp_outside', count: 7, event: null, signal_id: null },
      { accepted: true, reason: null, count: 1, event: null, signal_id: signal },
      { accepted: true, reason: null, count: 1, event: 'push', signal_id: null },
    ],
  )
  assert.equal(data.reasons[0].reason, 'timestamp_outside')
  assert.match(data.reasons[0].remedy, /NTP/)
  assert.match(data.step.message, /7 requests were refused as timestamp_outside/)
  const { tool, mode, arguments: given } = data.step.next
  assert.equal((await workspace.call(tool, mode, given)).data.url, made.url)
  await workspace.call('service_connect', 'update', { id, paused: true })
  const resume = (await step()).next
  assert.equal((await workspace.call(resume.tool, resume.mode, resume.arguments)).data.source.paused_at, null)
})

test('a month by the hour, each with several reasons, stays within the budget', async () => {
  const id = await created()
  const reasons = ['signature_differs', 'invalid_body', 'rate_limited', 'timestamp_outside']
  const hours = Array.from({ length: 744 }, (_, hour) => hour + 0.5)
  await record(
    workspace,
    ...hours.flatMap(hour =>
      reasons.map(reason => ({ kind: 'source.refused', source_id: id, reason, occurred_at: ago(hour) }) as const),
    ),
  )
  const answer = await workspace.call('service_support', 'source', { id, hours: 744 })
  assert.ok(countTokens(JSON.stringify(answer)) <= 10_000)
  assert.ok(answer.data.items.length >= 24)
  assert.ok(Date.parse(answer.data.items.at(-1).hour) >= ago(2))
})

test('every reason that the edge gives is explained', async () => {
  const edge = new URL('../../../ingest/', import.meta.url)
  const files = (await readdir(edge, { recursive: true })).filter(file => /(?<!\.test)\.ts$/.test(file))
  const sources = await Promise.all(files.map(file => readFile(new URL(file, edge), 'utf8')))
  const given = sources.flatMap(text => [
    ...text.matchAll(/(?:refusal\(\s*\d+,|unavailable\(|unproven\()\s*'([a-z_]+)'/g),
    ...text.matchAll(/'((?:signature|secret|timestamp)_(?:absent|malformed|differs|outside))'/g),
  ])
  const reasons = new Set(given.map(([, reason]) => reason ?? ''))
  // Requests of these are for no source.
  for (const nobodys of [
    'invalid_request',
    'not_found',
    'unknown_endpoint',
    'unknown_recipient',
    'email_closed',
    'starting',
  ])
    reasons.delete(nobodys)
  assert.ok(reasons.size >= 20, [...reasons].join(' '))
  assert.deepEqual(
    [...reasons].filter(reason => !REFUSAL_REASONS.includes(reason)),
    [],
  )
})

test('another workspace’s activity is never counted, even under the same id', async () => {
  const id = await created()
  const stranger = await kit.workspace()
  await record(stranger, { kind: 'signal.received', source_id: id, occurred_at: ago(1) })
  assert.equal((await figuresOf(id)).accepted_last_day, 0)
  await assert.rejects(stranger.call('service_support', 'source', { id }), /That source is not in this workspace/)
})

test('while the analytics are away the list still answers, with no figures', async () => {
  const id = await created()
  away = true
  try {
    assert.deepEqual(await figuresOf(id), {
      last_seen_at: null,
      accepted_last_day: null,
      refused_last_day: null,
      refusals_last_day: null,
    })
    const { data } = await workspace.call('service_support', 'source', { id })
    assert.deepEqual([data.items, data.recent], [null, null])
    assert.equal(data.source.name, 'Survey tool')
    const { data: diagnosed } = await workspace.call('service_support', 'diagnose')
    const found = diagnosed.items.map(({ finding }: { finding: string }) => finding)
    assert.ok(found.includes('analytics_away'))
    assert.ok(!found.includes('source_silent'), 'what is not known is not found')
  } finally {
    away = false
  }
})
