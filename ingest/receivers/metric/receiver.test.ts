import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { MetricPointRecord } from '../../../schemas/events/metric-point.ts'
import type { Source, Valid } from '../../registry/source.ts'
import { startTestEdge } from '../../testing.ts'

type Answer = Record<string, unknown> & { violations?: { pointer: string; message: string }[] }

const SECRET = 'the-metric-secret'
const NOW = Date.UTC(2026, 5, 1, 12)
const hashed = (secret: string, until: number | null = null): Valid<Uint8Array> => ({
  value: createHash('sha256').update(secret).digest(),
  until,
})

describe('the metric webhook', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let source: Source
  let now = NOW

  before(async () => {
    edge = await startTestEdge({}, { now: () => now })
  })
  beforeEach(() => {
    now = NOW
    source = edge.sources.add({ kind: 'metric', name: 'Conversion', secrets: [], secretHashes: [hashed(SECRET)] })
    edge.log.appends.length = 0
  })
  after(() => edge.stop())

  const send = async (body: unknown, headers: Record<string, string | undefined> = {}, to: Source = source) => {
    const sent = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, ...headers }
    const response = await fetch(`${edge.url}/api/webhooks/metric/${to.id}`, {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer }
  }

  /** The point that a body became. */
  const pointOf = async (body: unknown, headers: Record<string, string> = {}): Promise<MetricPointRecord> => {
    edge.log.appends.length = 0
    const { status, answer } = await send(body, headers)
    assert.equal(status, 200, JSON.stringify(answer))
    const [point, ...more] = await edge.points()
    assert.ok(point)
    assert.equal(more.length, 0)
    const occurredAt = new Date(point.occurred_at ?? point.received_at).toISOString()
    assert.deepEqual(answer, { ok: true, metric_id: source.id, occurred_at: occurredAt })
    return point
  }

  it('puts a point on the log under its metric’s key, with an activity and no signal', async () => {
    const { status, answer } = await send({ value: 12.5, occurred_at: '2026-05-31', ignored: true })
    assert.equal(status, 200)
    assert.deepEqual(answer, { ok: true, metric_id: source.id, occurred_at: '2026-05-31T00:00:00.000Z' })
    const [{ point_id: _, ...point } = { point_id: null }] = await edge.points()
    assert.deepEqual(point, {
      workspace_id: source.workspaceId,
      metric_id: source.id,
      value: 12.5,
      occurred_at: Date.UTC(2026, 4, 31),
      received_at: NOW,
    })
    assert.equal(edge.log.appends.length, 1, 'the point and its activity are one append')
    assert.equal(edge.log.records().find(record => record.topic === 'metrics.points')?.key, source.id)
    assert.deepEqual(await edge.signals(), [])
    const activities = await edge.activities()
    assert.deepEqual(
      activities.map(({ kind, source_id, occurred_at, outcome }) => [kind, source_id, occurred_at, outcome]),
      [['metric.received', source.id, NOW, 'accepted']],
    )
  })

  it('understands each of the four dates in each of its forms', async () => {
    const at = Date.UTC(2026, 4, 31, 9, 30)
    const forms: [string | number, number][] = [
      ['2026-05-31T09:30:00Z', at],
      ['2026-05-31T11:30:00+02:00', at],
      ['2026-05-31', Date.UTC(2026, 4, 31)],
      [at / 1000, at],
      [at, at],
      [String(at / 1000), at],
    ]
    for (const field of ['occurred_at', 'timestamp', 'date', 'time']) {
      const fresh = edge.sources.add({ kind: 'metric', secretHashes: [hashed(SECRET)] })
      for (const [sent, instant] of forms) {
        const { status, answer } = await send({ value: 1, [field]: sent }, {}, fresh)
        assert.equal(status, 200, JSON.stringify(answer))
        assert.equal(answer.occurred_at, new Date(instant).toISOString(), `${field}: ${sent}`)
      }
    }
  })

  it('lets the first of the dates win, in the documented order', async () => {
    const dates = { time: '2026-01-04', date: '2026-01-03', timestamp: '2026-01-02', occurred_at: '2026-01-01' }
    assert.equal((await pointOf({ value: 1, ...dates })).occurred_at, Date.UTC(2026, 0, 1))
    const { occurred_at: _, ...without } = dates
    assert.equal((await pointOf({ value: 1, ...without })).occurred_at, Date.UTC(2026, 0, 2))
    const { timestamp: __, ...fewer } = without
    assert.equal((await pointOf({ value: 1, ...fewer })).occurred_at, Date.UTC(2026, 0, 3))
    const absent = { occurred_at: null, timestamp: null, date: null }
    assert.equal((await pointOf({ value: 1, ...dates, ...absent })).occurred_at, Date.UTC(2026, 0, 4))
  })

  it('gives a point without a date the instant of its receipt', async () => {
    const point = await pointOf({ value: 0 })
    assert.deepEqual([point.occurred_at, point.received_at], [null, NOW])
  })

  it('takes every finite number, and keeps it to the last digit', async () => {
    for (const value of [0, -1, 1e-300, 1.7976931348623157e308, 0.1 + 0.2, Number.MAX_SAFE_INTEGER]) {
      now += 1
      assert.equal((await pointOf({ value })).value, value)
    }
  })

  it('answers 422 to a value that is no finite number, and says where', async () => {
    for (const value of ['"12"', 'null', 'true', '[1]', '{}', '1e999', '-1e999']) {
      const { status, answer } = await send(`{"value":${value}}`)
      assert.equal(status, 422, value)
      assert.deepEqual(
        answer.violations?.map(({ pointer }) => pointer),
        ['/value'],
      )
    }
    const { answer } = await send({})
    assert.deepEqual(answer.violations, [{ pointer: '/value', message: 'is required' }])
    const both = await send({ value: 'x', date: 'yesterday' })
    assert.deepEqual(both.answer.violations?.map(({ pointer }) => pointer).sort(), ['/date', '/value'])
  })

  it('answers 422 to a date that is none, before 2000 or over a day ahead, even when a later one would do', async () => {
    const cases: [string, unknown][] = [
      ['occurred_at', 'yesterday'],
      ['timestamp', '1999-12-31'],
      ['date', NOW + 86_400_001],
      ['time', '2026-02-30'],
      ['date', {}],
    ]
    for (const [field, sent] of cases) {
      const fresh = { value: 1, time: '2026-01-01', [field]: sent }
      const { status, answer } = await send(fresh)
      assert.equal(status, 422, `${field}: ${JSON.stringify(sent)}`)
      assert.deepEqual(
        answer.violations?.map(({ pointer }) => pointer),
        [`/${field}`],
      )
    }
    assert.equal((await send({ value: 1, date: NOW + 86_400_000 })).status, 200)
  })

  it('makes the same instant of a metric the same point, and another metric’s another', async () => {
    const first = await pointOf({ value: 1, date: '2026-01-01' })
    const corrected = await pointOf({ value: 2, timestamp: '2026-01-01T00:00:00Z' })
    const nextDay = await pointOf({ value: 1, date: '2026-01-02' })
    assert.equal(corrected.point_id, first.point_id)
    assert.notEqual(nextDay.point_id, first.point_id)
    source = edge.sources.add({ kind: 'metric', secretHashes: [hashed(SECRET)] })
    assert.notEqual((await pointOf({ value: 1, date: '2026-01-01' })).point_id, first.point_id)
  })

  it('makes a retry with the same key the same point, dated or not, and keeps two keys apart at one instant', async () => {
    const key = { 'x-idempotency-key': 'day-1' }
    const first = await pointOf({ value: 1 }, key)
    now += 5_000
    const retry = await pointOf({ value: 1 }, key)
    assert.equal(retry.point_id, first.point_id)
    const other = await pointOf({ value: 1, date: '2026-01-01' }, { 'x-idempotency-key': 'day-2' })
    const bare = await pointOf({ value: 1, date: '2026-01-01' })
    assert.equal(new Set([first.point_id, other.point_id, bare.point_id]).size, 3)
    assert.equal((await send({ value: 1 }, { 'x-idempotency-key': 'k'.repeat(256) })).status, 400)
  })

  it('says which check of the bearer secret failed, with the challenge and without a secret', async () => {
    const cases: [string | undefined, string, string][] = [
      [undefined, 'secret_absent', 'Bearer'],
      ['Bearer', 'secret_malformed', 'Bearer error="invalid_request"'],
      [`Basic ${btoa('a:b')}`, 'secret_malformed', 'Bearer error="invalid_request"'],
      ['Bearer two words', 'secret_malformed', 'Bearer error="invalid_request"'],
      ['Bearer another', 'secret_differs', 'Bearer error="invalid_token"'],
      [`Bearer ${SECRET}x`, 'secret_differs', 'Bearer error="invalid_token"'],
    ]
    for (const [authorization, reason, challenge] of cases) {
      const { status, headers, answer } = await send({ value: 1 }, { authorization })
      assert.equal(status, 401, reason)
      assert.equal(answer.type, `urn:assay:problem:${reason}`)
      assert.equal(headers.get('www-authenticate'), challenge)
      assert.ok(!JSON.stringify(answer).includes(SECRET))
    }
    assert.equal((await send({ value: 1 }, { authorization: `bearer  ${SECRET}` })).status, 200)
    assert.equal((await send({ value: 1, date: '2026-01-01' }, { authorization: undefined })).status, 401)
    assert.equal((await edge.points()).length, 1)
  })

  it('takes the secret before while it is rotated, until its time', async () => {
    const rotated = edge.sources.add({
      kind: 'metric',
      secrets: [],
      secretHashes: [hashed('new'), hashed('old', NOW + 1000)],
    })
    const with_ = (secret: string) => send({ value: 1 }, { authorization: `Bearer ${secret}` }, rotated)
    assert.equal((await with_('old')).status, 200)
    assert.equal((await with_('new')).status, 200)
    now = NOW + 1000
    assert.equal((await with_('old')).status, 401)
    assert.equal((await with_('new')).status, 200)
  })

  it('answers 503 where the secret cannot be read, since that is no fault of the sender', async () => {
    const broken = edge.sources.add({ kind: 'metric', secrets: [], secretHashes: [] })
    assert.equal((await send({ value: 1 }, {}, broken)).status, 503)
  })

  it('answers 413 above 16 KiB, 415 to what is no JSON, 400 to broken JSON and 404 to another kind’s endpoint', async () => {
    assert.equal((await send(`{"value":1,"x":"${'x'.repeat(16 * 1024)}"}`)).status, 413)
    assert.equal((await send('value=1', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
    assert.equal((await send('{"value":')).status, 400)
    assert.equal((await send({ value: 1 }, {}, edge.sources.add())).status, 404)
  })

  it('answers 429 to the 61st request of a minute', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 61; sent += 1) statuses.push((await send({ value: sent })).status)
    assert.deepEqual(statuses.slice(0, 60), Array(60).fill(200))
    assert.equal(statuses[60], 429)
  })
})
