import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { Source } from '../../registry/source.ts'
import { startTestEdge } from '../../testing.ts'
import { VENDORS } from './vendors.testing.ts'

type Answer = Record<string, unknown> & { snippet_id?: string; violations?: { pointer: string; message: string }[] }

/** The published vector of Standard Webhooks: secret, id, time, body and the signature of these. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const NOW = VECTOR.timestamp * 1000

describe('the connection webhook', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let source: Source
  let now = NOW
  let messages = 0

  const connection = (over: Partial<Source> = {}): Source =>
    edge.sources.add({
      kind: 'connection',
      name: 'Support inbox',
      secrets: [{ value: VECTOR.secret, until: null }],
      ...over,
    })

  before(async () => {
    edge = await startTestEdge({}, { now: () => now })
  })
  beforeEach(() => {
    now = NOW
    edge.log.appends.length = 0
    source = connection()
  })
  after(() => edge.stop())

  const post = async (body: string, headers: Record<string, string>, to: Source = source) => {
    const response = await fetch(`${edge.url}/api/webhooks/connections/${to.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer }
  }

  /** The headers of a body as the library's own sender signs it. */
  const signed = (body: string, { secret = VECTOR.secret, id = `msg_${++messages}`, at = now } = {}) => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  })

  const send = (event: unknown, to: Source = source, how: Parameters<typeof signed>[1] = {}) => {
    const body = JSON.stringify(event)
    return post(body, signed(body, how), to)
  }

  const event = (data: unknown) => ({ type: 'ticket.created', timestamp: '2021-02-25T15:00:00Z', data })

  /** The body of the signal that an event became. */
  const signalOf = async (sent: unknown, to: Source = source): Promise<Record<string, unknown>> => {
    edge.log.appends.length = 0
    const { status, answer } = await send(sent, to)
    assert.equal(status, 200, JSON.stringify(answer))
    const [signal, ...more] = await edge.signals()
    assert.equal(more.length, 0)
    assert.deepEqual(answer, { ok: true, snippet_id: signal?.signal_id })
    assert.deepEqual([signal?.channel, signal?.received?.format], ['connection', 'signal'])
    assert.deepEqual([signal?.source_id, signal?.workspace_id], [to.id, to.workspaceId])
    return JSON.parse(signal?.received?.body ?? '')
  }

  it('proves the published vector: its signature passes, and the same on another body does not', async () => {
    const headers = {
      'webhook-id': VECTOR.id,
      'webhook-timestamp': String(VECTOR.timestamp),
      'webhook-signature': VECTOR.signature,
    }
    // The vector's body is no event, which is said once the signature is proven.
    assert.equal((await post(VECTOR.body, headers)).status, 422)
    const other = await post(VECTOR.body.replace('test', 'text'), headers)
    assert.equal(other.answer.type, 'urn:assay:problem:signature_differs')
  })

  it('makes a signal of data that is a signal body: named after the connection, its event the type', async () => {
    const data = {
      text: 'The export is empty.',
      actor_email: 'sender@example.com',
      metadata: { plan: 'pro' },
      event: 'theirs',
      unknown: 1,
    }
    assert.deepEqual(await signalOf(event(data)), {
      text: 'The export is empty.',
      source: 'Support inbox',
      occurred_at: '2021-02-25T15:00:00Z',
      actor_email: 'sender@example.com',
      metadata: { plan: 'pro' },
      event: 'ticket.created',
    })
    const named = await signalOf(event({ text: 'x', source: 'chat', occurred_at: 1614200000 }))
    assert.deepEqual([named.source, named.occurred_at], ['chat', 1614200000])
  })

  it('finds the signal where the connection’s pointers say', async () => {
    const mapped = connection({
      settings: {
        mapping: {
          text: '/data/ticket/comments/0/body',
          source_url: '/data/ticket/a~1b~0c',
          occurred_at: '/data/at',
          actor_name: '/data/from',
          metadata: '/data/ticket/tags',
        },
      },
    })
    const data = {
      at: '2021-02-20',
      from: 'Sender',
      ticket: { comments: [{ body: 'It is slow.' }], 'a/b~c': 'https://example.com/1', tags: { vip: true } },
    }
    assert.deepEqual(await signalOf(event(data), mapped), {
      text: 'It is slow.',
      source: 'Support inbox',
      source_url: 'https://example.com/1',
      occurred_at: '2021-02-20',
      actor_name: 'Sender',
      metadata: { vip: true },
      event: 'ticket.created',
    })
  })

  it('answers 422 with the pointer under which there is nothing, no text, or only what objects inherit', async () => {
    const cases: [string, unknown, RegExp][] = [
      ['/data/body', {}, /is required: the connection maps "text"/],
      ['/data/body', { body: 7 }, /must be string: the connection maps "text"/],
      ['/data/body', { body: null }, /must be string: the connection maps "text"/],
      ['/data/body', { body: ' ' }, /must not be blank/],
      ['/data/body/0', { body: 'text' }, /is required/],
      ['/data/list/length', { list: ['a'] }, /is required/],
      ['/data/list/01', { list: ['a', 'b'] }, /is required/],
      ['/data/constructor/name', {}, /is required/],
      ['/data/__proto__/text', {}, /is required/],
    ]
    for (const [text, data, message] of cases) {
      const { status, answer } = await send(event(data), connection({ settings: { mapping: { text } } }))
      assert.equal(status, 422, text)
      assert.deepEqual(
        answer.violations?.map(({ pointer }) => pointer),
        [text],
      )
      assert.match(answer.violations?.[0]?.message ?? '', message)
    }
    const deep = connection({
      settings: { mapping: { text: '/data/t', metadata: '/data/m', occurred_at: '/data/at' } },
    })
    const { answer } = await send(event({ t: 'x', m: 'no object', at: {} }), deep)
    assert.deepEqual(answer.violations?.map(({ pointer }) => pointer).sort(), ['/data/at', '/data/m'])
    const both = await send(event({ t: 'x', m: 'no object', at: '1999-01-01' }), deep)
    assert.deepEqual(both.answer.violations?.map(({ pointer }) => pointer).sort(), ['/data/at', '/data/m'])
    const late = await send(event({ t: 'x', m: {}, at: '1999-01-01' }), deep)
    assert.deepEqual(
      late.answer.violations?.map(({ pointer }) => pointer),
      ['/data/at'],
    )
  })

  it('needs no type and no time in the body: the header has the time that it was sent at', async () => {
    const sentAt = new Date(NOW).toISOString()
    const bare = { text: 'x', source: 'Support inbox', occurred_at: sentAt }
    assert.deepEqual(await signalOf({ data: { text: 'x' } }), bare)
    const nulls = { source: null, occurred_at: null, actor_name: null, metadata: null, event: null }
    assert.deepEqual(await signalOf({ type: null, timestamp: null, data: { text: 'x', ...nulls } }), bare)
    const own = connection({ settings: { mapping: { text: '/message', occurred_at: '/at', actor_name: '/by' } } })
    for (const absent of [{}, { at: null, by: null }, { timestamp: 'teatime', type: 7 }]) {
      assert.deepEqual(await signalOf({ message: 'x', ...absent }, own), bare)
    }
    assert.equal((await signalOf({ message: 'x', timestamp: NOW - 5000 }, own)).occurred_at, NOW - 5000)
  })

  describe('takes the bodies that vendors publish, in their own shapes', () => {
    for (const { vendor, mapping, body, signal } of VENDORS) {
      it(vendor, async () => {
        const own = connection({ name: vendor, settings: { mapping } })
        now = Date.UTC(2026, 10, 23, 10, 30)
        assert.deepEqual(await signalOf(body, own), { source: vendor, ...signal })
      })
    }
  })

  it('answers 422 to a body without its parts, saying where in it, and what says where the text is', async () => {
    const { answer } = await send({ id: 'evt_1', created_at: 1795430000, data: { id: 'resp_1' } })
    assert.match(answer.violations?.[0]?.message ?? '', /is required: a signal body .* settings\.mapping/)
    const cases: [unknown, string[]][] = [
      [{}, ['/data']],
      [{ type: 't', timestamp: 'never', data: { text: 'x' } }, ['/timestamp']],
      [[], ['']],
      [event({}), ['/data/text']],
      [event({ text: 'x', signal_origin: 'alien' }), ['/data/signal_origin']],
      [event({ text: 'x', occurred_at: '1999-01-01' }), ['/data/occurred_at']],
      [event('text'), ['/data']],
      [
        { type: 't', timestamp: 'never', data: { occurred_at: 'never' } },
        ['/data/occurred_at', '/data/text', '/timestamp'],
      ],
    ]
    for (const [sent, pointers] of cases) {
      const { status, answer } = await send(sent)
      assert.equal(status, 422, JSON.stringify(sent))
      assert.deepEqual(answer.violations?.map(({ pointer }) => pointer).sort(), pointers)
    }
  })

  it('gives every attempt at one message the same snippet, and another connection’s its own', async () => {
    const attempts = [await send(event({ text: 'x' }), source, { id: 'msg_once' })]
    now += 60_000
    attempts.push(await send(event({ text: 'x' }), source, { id: 'msg_once' }))
    const other = await send(event({ text: 'x' }), connection(), { id: 'msg_once' })
    assert.equal(attempts[0]?.answer.snippet_id, attempts[1]?.answer.snippet_id)
    assert.notEqual(other.answer.snippet_id, attempts[0]?.answer.snippet_id)
    assert.equal((await send(event({ text: 'x' }), source, { id: 'm'.repeat(256) })).status, 400)
  })

  it('loses nothing of an honest retry: what it says anew is a signal of its own, what it says again is none', async () => {
    const said = ['It is slow.', 'It is slow. Since Monday.', 'It is slow.', 'It is slow. Since Monday.']
    edge.log.appends.length = 0
    const ids = []
    for (const text of said) {
      now += 30_000
      const { status, answer } = await send(event({ text }), source, { id: 'msg_again' })
      assert.equal(status, 200)
      ids.push(answer.snippet_id)
    }
    assert.deepEqual([ids[0], ids[1]], [ids[2], ids[3]])
    assert.notEqual(ids[0], ids[1])
    const stored = new Map((await edge.signals()).map(signal => [signal.signal_id, signal.received?.body ?? '']))
    assert.deepEqual(
      [...stored].map(([id, body]) => [id, JSON.parse(body).text]),
      [
        [ids[0], said[0]],
        [ids[1], said[1]],
      ],
    )
    // What a retry may change is no part of what is said.
    const dated = await send({ ...event({ text: said[0] }), timestamp: '2021-02-24' }, source, { id: 'msg_again' })
    assert.equal(dated.answer.snippet_id, ids[0])
  })

  it('takes the same request for five minutes before and after it was signed, as the same signal, and no longer', async () => {
    const body = JSON.stringify(event({ text: 'x' }))
    const headers = signed(body, { id: 'msg_replayed' })
    const sentSeconds = Math.floor(now / 1000) * 1000
    const answers = []
    for (const [shift, status] of [
      [0, 200],
      [300_000, 200],
      [-300_000, 200],
      [300_001, 401],
      [-300_001, 401],
      [86_400_000, 401],
    ] as const) {
      now = sentSeconds + shift
      const answered = await post(body, headers)
      assert.equal(answered.status, status, String(shift))
      if (status === 200) answers.push(answered.answer.snippet_id)
      else assert.match(String(answered.answer.detail), /more than 5 minutes away/)
    }
    assert.equal(new Set(answers).size, 1)
    // The time is signed: it cannot be moved into the window, nor the request under another id.
    now = sentSeconds + 86_400_000
    const moved = { ...headers, 'webhook-timestamp': String(now / 1000) }
    assert.equal((await post(body, moved)).status, 401)
    now = sentSeconds
    assert.equal((await post(body, { ...headers, 'webhook-id': 'msg_other' })).status, 401)
  })

  it('takes the names of Svix, proves them alike, and the same message is the same signal under either', async () => {
    const body = JSON.stringify(event({ text: 'x' }))
    const right = signed(body, { id: 'msg_svix' })
    const named = (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]))
    const first = await post(body, named(right))
    assert.equal(first.status, 200)
    assert.equal((await post(body, right)).answer.snippet_id, first.answer.snippet_id)
    for (const [headers, reason, detail] of [
      [named({ ...right, 'webhook-id': 'msg_other' }), 'signature_differs', /svix-signature/],
      [named(signed(body, { at: NOW - 301_000 })), 'timestamp_outside', /svix-timestamp/],
      [named({ ...right, 'webhook-id': '' }), 'signature_absent', /svix-id/],
      // What is under the other names was not signed, and nothing of it is taken.
      [{ ...named(right), 'webhook-signature': 'v1,short' }, 'signature_absent', /webhook-id/],
      [{ 'webhook-signature': right['webhook-signature'], 'svix-id': 'msg_svix' }, 'signature_absent', /webhook-id/],
    ] as const) {
      const { status, answer } = await post(body, headers, connection())
      assert.deepEqual([status, answer.type], [401, `urn:assay:problem:${reason}`])
      assert.match(String(answer.detail), detail)
    }
  })

  it('takes one right signature among several, and either secret while one is rotated', async () => {
    const rotated = connection({
      secrets: [
        { value: OTHER, until: null },
        { value: VECTOR.secret, until: NOW + 1000 },
      ],
    })
    const body = JSON.stringify(event({ text: 'x' }))
    const headers = signed(body)
    const wrong = new Webhook(OTHER).sign('another', new Date(now), body)
    const several = {
      ...headers,
      'webhook-signature': `v1a,${'A'.repeat(86)}== ${wrong} ${headers['webhook-signature']}`,
    }
    assert.equal((await post(body, several)).status, 200)
    assert.equal((await post(body, headers, rotated)).status, 200)
    assert.equal((await post(body, signed(body, { secret: OTHER }), rotated)).status, 200)
    now += 1000
    assert.equal((await post(body, signed(body), rotated)).status, 401)
  })

  it('says which check of the signature failed, with a challenge and nothing of the secret', async () => {
    const body = JSON.stringify(event({ text: 'x' }))
    const right = signed(body, { id: 'msg_1' })
    const aged = (ms: number) => signed(body, { at: NOW + ms })
    const cases: [Record<string, string>, string, RegExp][] = [
      [{ ...right, 'webhook-id': '' }, 'signature_absent', /webhook-id/],
      [{ ...right, 'webhook-timestamp': '' }, 'signature_absent', /webhook-timestamp/],
      [{ ...right, 'webhook-signature': '' }, 'signature_absent', /webhook-signature/],
      [{ ...right, 'webhook-timestamp': '2021-02-25T15:02:10Z' }, 'timestamp_malformed', /digits/],
      [{ ...right, 'webhook-timestamp': `${VECTOR.timestamp}junk` }, 'timestamp_malformed', /digits/],
      [{ ...right, 'webhook-signature': 'v1,short' }, 'signature_malformed', /base64/],
      [{ ...right, 'webhook-signature': `v1a,${'A'.repeat(86)}==` }, 'signature_malformed', /v1,/],
      [aged(-301_000), 'timestamp_outside', /5 minutes/],
      [aged(301_000), 'timestamp_outside', /5 minutes/],
      [{ ...right, 'webhook-id': 'msg_2' }, 'signature_differs', /webhook-signature/],
      [{ ...right, 'webhook-timestamp': String(VECTOR.timestamp - 1) }, 'signature_differs', /webhook-signature/],
      [signed(body, { secret: OTHER }), 'signature_differs', /webhook-signature/],
      [signed(`${body} `), 'signature_differs', /webhook-signature/],
    ]
    for (const [headers, reason, detail] of cases) {
      const fresh = connection()
      const { status, answer, headers: answered } = await post(body, headers, fresh)
      assert.equal(status, 401, reason)
      assert.equal(answer.type, `urn:assay:problem:${reason}`)
      assert.match(String(answer.detail), detail)
      assert.match(answered.get('www-authenticate') ?? '', /webhook-signature/)
      assert.ok(!JSON.stringify(answer).includes('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'))
    }
    for (const edgeOfWindow of [-300_000, 300_000]) {
      assert.equal((await post(body, aged(edgeOfWindow))).status, 200)
    }
  })

  it('answers 503 where secret or settings cannot be read, since that is no fault of the sender', async () => {
    const broken: Partial<Source>[] = [
      { secrets: [] },
      { secrets: [{ value: 'whsec_%%%', until: null }] },
      { settings: { mapping: { text: 'no pointer' } } },
      { settings: null },
    ]
    for (const over of broken) {
      const { status, headers } = await send(event({ text: 'x' }), connection(over))
      assert.equal(status, 503, JSON.stringify(over))
      assert.ok(headers.get('retry-after'))
    }
  })

  it('answers 503 to what is proven while it is paused, takes nothing of it, and takes the repetition later', async () => {
    const paused = connection({ paused: true })
    const body = JSON.stringify(event({ text: 'x' }))
    const headers = signed(body)
    const refused = await post(body, headers, paused)
    assert.equal(refused.status, 503)
    assert.equal(refused.answer.type, 'urn:assay:problem:source_paused')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await edge.signals()).length, 0)
    const unproven = await post(body, { ...headers, 'webhook-id': 'msg_other' }, paused)
    assert.equal(unproven.status, 401, 'a stranger does not learn that it is paused')
    edge.sources.add({ ...paused, paused: false })
    await eventually('the edge knows', async () => (await post(body, headers, paused)).status === 200)
    assert.equal((await edge.signals()).length, 1)
  })

  it('answers 429 to the 501st request of a minute', async () => {
    const statuses = new Map<number, number>()
    for (let batch = 0; batch < 10; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(event({ text: 'x' }))))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepEqual([...statuses], [[200, 500]])
    assert.equal((await send(event({ text: 'x' }))).status, 429)
  })
})
