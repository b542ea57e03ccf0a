import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isUuid } from '../schemas/domain/ids.ts'
import type { Source } from './registry/source.ts'
import { postSignal, sign, startTestEdge } from './testing.ts'

type Problem = Record<string, unknown> & { violations?: { pointer: string; message: string }[] }

describe('the signal webhook', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let source: Source

  before(async () => {
    edge = await startTestEdge()
    source = edge.sources.add()
  })
  after(() => edge.stop())

  /** Posts, expects a refusal in the form every refusal has, and answers it. */
  const refused = async (status: number, response: Response): Promise<Problem> => {
    const text = await response.text()
    assert.equal(response.status, status, text)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    const problem = JSON.parse(text) as Problem
    assert.equal(problem.ok, false)
    assert.equal(problem.status, status)
    for (const field of ['type', 'title', 'detail']) assert.equal(typeof problem[field], 'string')
    return problem
  }

  it('takes a signed signal and puts it on the log as it came, without the fields it does not know', async () => {
    const body = {
      text: 'The export loses my filters 😀',
      source: 'intercom',
      source_url: 'https://example.com/1',
      occurred_at: 1767225600,
      actor_name: 'Sender',
      actor_email: 'sender@example.com',
      signal_origin: 'customer',
      actor_role: 'user',
      metadata: { plan: 'pro', nested: { seats: 3 } },
      event: 'conversation.closed',
    }
    const response = await postSignal(edge.url, source.id, { ...body, unheard_of: true })
    assert.equal(response.status, 200)
    const answer = (await response.json()) as { ok: boolean; snippet_id: string }
    assert.deepEqual(Object.keys(answer), ['ok', 'snippet_id'])
    assert.equal(answer.ok, true)
    assert.ok(isUuid(answer.snippet_id))

    const stored = (await edge.signals()).find(signal => signal.signal_id === answer.snippet_id)
    assert.equal(stored?.workspace_id, source.workspaceId)
    assert.equal(stored?.tenant_id, source.tenantId)
    assert.equal(stored?.source_id, source.id)
    assert.equal(stored?.channel, 'webhook')
    assert.equal(stored?.received?.format, 'signal')
    assert.deepEqual(JSON.parse(stored?.received?.body ?? ''), body)
    const record = edge.log.records().find(candidate => candidate.key === answer.snippet_id)
    assert.equal(record?.topic, 'signals.validate')
    assert.match(record?.headers?.traceparent ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
  })

  it('continues the trace of a sender that has one', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const response = await postSignal(
      edge.url,
      source.id,
      { text: 'traced' },
      { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    )
    const { snippet_id } = (await response.json()) as { snippet_id: string }
    const record = edge.log.records().find(candidate => candidate.key === snippet_id)
    assert.equal(record?.headers?.traceparent?.split('-')[1], trace)
  })

  it('answers the same snippet_id to every request with the same idempotency key, for that endpoint alone', async () => {
    const other = edge.sources.add()
    const ids = []
    for (const id of [source.id, source.id, other.id]) {
      const response = await postSignal(edge.url, id, { text: 'once' }, { 'x-idempotency-key': 'order-7' })
      ids.push(((await response.json()) as { snippet_id: string }).snippet_id)
    }
    assert.equal(ids[0], ids[1])
    assert.notEqual(ids[0], ids[2])
  })

  it('gives two requests without a key two ids, even for the same text', async () => {
    const ids = new Set<string>()
    for (let i = 0; i < 2; i++) {
      const response = await postSignal(edge.url, source.id, { text: 'twice' })
      ids.add(((await response.json()) as { snippet_id: string }).snippet_id)
    }
    assert.equal(ids.size, 2)
  })

  it('refuses an idempotency key that is too long', async () => {
    const response = await postSignal(edge.url, source.id, { text: 'x' }, { 'x-idempotency-key': 'k'.repeat(256) })
    assert.match(String((await refused(400, response)).detail), /X-Idempotency-Key.*255/)
  })

  it('says which check of the signature failed, and offers the challenge', async () => {
    const url = `${edge.url}/api/webhooks/custom/${source.id}`
    const body = '{"text":"x"}'
    const post = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    const cases: [Record<string, string>, string][] = [
      [{}, 'signature_absent'],
      [{ 'x-service-signature': 'sha1=abc' }, 'signature_malformed'],
      [{ 'x-service-signature': `sha256=${'g'.repeat(64)}` }, 'signature_malformed'],
      [{ 'x-service-signature': sign(body, 'another secret') }, 'signature_differs'],
      [{ 'x-service-signature': sign(`${body} `) }, 'signature_differs'],
    ]
    for (const [headers, reason] of cases) {
      const response = await post(headers)
      assert.match(response.headers.get('www-authenticate') ?? '', /X-Service-Signature/)
      const problem = await refused(401, response)
      assert.equal(problem.type, `urn:assay:problem:${reason}`)
      assert.ok(!JSON.stringify(problem).includes('a-shared-secret'))
    }
  })

  it('answers 404 alike for an unknown id, another kind of source, no id and a deleted one', async () => {
    const github = edge.sources.add({ kind: 'code_host', codeHost: 'github' })
    const deleted = edge.sources.add()
    edge.sources.remove(deleted.id)
    const problems = []
    for (const id of ['0198c0de-0000-7000-8000-000000000000', github.id, 'nothing', '', deleted.id]) {
      problems.push(await refused(404, await postSignal(edge.url, id, { text: 'x' })))
    }
    for (const problem of problems) assert.deepEqual(problem, problems[0])
  })

  it('answers 405 with Allow to other methods', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await fetch(`${edge.url}/api/webhooks/custom/${source.id}`, { method })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'POST')
    }
  })

  it('answers 415 to another content type, charset or encoding', async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ 'content-type': 'text/plain' }, /application\/json/],
      [{ 'content-type': 'application/json; charset=latin1' }, /UTF-8/],
      [{ 'content-encoding': 'gzip' }, /Content-Encoding/],
    ]
    for (const [headers, detail] of cases) {
      const problem = await refused(415, await postSignal(edge.url, source.id, { text: 'x' }, headers))
      assert.match(String(problem.detail), detail)
    }
    const accepted = await postSignal(
      edge.url,
      source.id,
      { text: 'x' },
      { 'content-type': 'Application/JSON;charset=UTF-8' },
    )
    assert.equal(accepted.status, 200)
  })

  it('answers 400 to a body that is no JSON or no UTF-8, without quoting it', async () => {
    const problem = await refused(400, await postSignal(edge.url, source.id, '{"text": "private words'))
    assert.ok(!JSON.stringify(problem).includes('private'))
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    const response = await fetch(`${edge.url}/api/webhooks/custom/${source.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': sign(bytes) },
      body: bytes,
    })
    assert.match(String((await refused(400, response)).detail), /UTF-8/)
  })

  it('takes a text of 50,000 code points whatever they are, and answers 422 to one more', async () => {
    for (const character of ['a', '😀', '\u0001', '"']) {
      const full = await postSignal(edge.url, source.id, { text: `${character.repeat(49_999)}.` })
      assert.equal(full.status, 200, JSON.stringify(character))
      const problem = await refused(422, await postSignal(edge.url, source.id, { text: character.repeat(50_001) }))
      assert.deepEqual(problem.violations, [
        { pointer: '/text', message: 'must have at most 50000 characters (Unicode code points)' },
      ])
    }
  })

  it('answers 422 with every violation and where it is', async () => {
    const wrong = {
      text: 7,
      source: 7,
      source_url: 7,
      actor_name: 7,
      actor_email: 7,
      signal_origin: 'x',
      actor_role: 'x',
      metadata: [],
      event: 7,
    }
    for (const occurred_at of [true, 'yesterday', 1]) {
      const body = { ...wrong, occurred_at }
      const { violations = [] } = await refused(422, await postSignal(edge.url, source.id, body))
      assert.deepEqual(
        violations.map(({ pointer }) => pointer).sort(),
        Object.keys(body)
          .map(name => `/${name}`)
          .sort(),
      )
      const origin = violations.find(({ pointer }) => pointer === '/signal_origin')
      assert.equal(origin?.message, 'must be one of customer, internal, operational')
    }
  })

  it('answers 422 to bodies of another shape', async () => {
    const nested = `{"text":"x","metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`
    const cases: [unknown, string][] = [
      ['[]', ''],
      ['null', ''],
      ['{}', '/text'],
      [{ text: '' }, '/text'],
      [{ text: ' \n' }, '/text'],
      [{ text: 'x', occurred_at: 'yesterday' }, '/occurred_at'],
      [nested, '/metadata'],
    ]
    for (const [body, pointer] of cases) {
      const { violations } = await refused(422, await postSignal(edge.url, source.id, body))
      assert.deepEqual(
        violations?.map(violation => violation.pointer),
        [pointer],
      )
    }
  })

  it('answers 422 to metadata beyond a limit, and names the limit', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 1]))
    for (const [metadata, message] of [
      [many(501), /at most 500 keys/],
      [{ a: many(250), b: [many(251)] }, /at most 500 keys/],
      [{ a: { ['k'.repeat(201)]: 1 } }, /keys of at most 200 characters/],
      [{ a: Array(1_000).fill(1) }, /at most 1000 values/],
      [{ a: ['x'.repeat(20_000), 'x'.repeat(12_768)] }, /at most 32768 characters/],
    ] as const) {
      const { violations } = await refused(422, await postSignal(edge.url, source.id, { text: 'x', metadata }))
      assert.deepEqual(
        violations?.map(({ pointer }) => pointer),
        ['/metadata'],
      )
      assert.match(violations?.[0]?.message ?? '', message)
    }
    for (const metadata of [many(500), { a: Array(999).fill(1) }, { a: 'x'.repeat(32_767) }]) {
      assert.equal((await postSignal(edge.url, source.id, { text: 'x', metadata })).status, 200)
    }
  })

  it('answers 413 to a record that is larger than the log takes', async () => {
    const small = await startTestEdge({ maxRecordBytes: 64 * 1024 })
    try {
      const { id } = small.sources.add()
      const problem = await refused(413, await postSignal(small.url, id, { text: 'ö'.repeat(40_000) }))
      assert.equal(problem.type, 'urn:assay:problem:record_too_large')
    } finally {
      await small.stop()
    }
  })
})
