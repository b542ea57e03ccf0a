import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { postSignal, sign, startTestEdge } from './testing.ts'

describe('limits', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge({ maxFailuresPerMinute: 5 })
  })
  after(() => edge.stop())

  /** Posts from another address of this machine; answers the status and Retry-After. */
  const postFrom = (address: string, id: string, signature: string): Promise<[number, string | undefined]> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${edge.url}/api/webhooks/custom/${id}`,
        {
          method: 'POST',
          localAddress: address,
          headers: { 'content-type': 'application/json', 'x-service-signature': signature },
        },
        response => {
          response.resume()
          resolve([response.statusCode ?? 0, response.headers['retry-after']])
        },
      )
      sent.on('error', reject)
      sent.end('{"text":"x"}')
    })

  it('takes 100 requests a minute of an endpoint, then answers 429 and says when to come back', async () => {
    const { id } = edge.sources.add()
    const other = edge.sources.add()
    for (let sent = 1; sent <= 100; sent++) {
      const response = await postSignal(edge.url, id, { text: `number ${sent}` })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('ratelimit-policy'), '"endpoint";q=100;w=60')
      assert.match(response.headers.get('ratelimit') ?? '', new RegExp(`^"endpoint";r=${100 - sent};t=\\d+$`))
    }
    const refused = await postSignal(edge.url, id, { text: 'one too many' })
    assert.equal(refused.status, 429)
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"endpoint";r=0;t=\d+$/)
    assert.equal(((await refused.json()) as { ok: boolean }).ok, false)
    assert.equal((await postSignal(edge.url, other.id, { text: 'another endpoint' })).status, 200)
  })

  it('counts requests that are authentic but wrong, too', async () => {
    const { id } = edge.sources.add()
    const wrong = await postSignal(edge.url, id, 'no json')
    assert.equal(wrong.status, 400)
    assert.match(wrong.headers.get('ratelimit') ?? '', /r=99/)
  })

  it('makes a stranger wait after some failed signatures, and lets the owner use the whole limit meanwhile', async () => {
    const { id } = edge.sources.add()
    for (let failure = 0; failure < 5; failure++) {
      assert.deepEqual(await postFrom('127.0.0.2', id, sign('{"text":"x"}', 'guessed')), [401, undefined])
    }
    const [status, retryAfter] = await postFrom('127.0.0.2', id, sign('{"text":"x"}', 'guessed'))
    assert.equal(status, 429)
    assert.ok(Number(retryAfter) >= 1)
    for (let sent = 0; sent < 100; sent++) {
      assert.equal((await postFrom('127.0.0.1', id, sign('{"text":"x"}')))[0], 200)
    }
  })

  it('knows whose a failed signature was, though it had to wait for the endpoint and for a large body', async () => {
    const large = { text: 'x', metadata: { note: 'y'.repeat(20_000) }, more: 'z'.repeat(80_000) }
    const { id } = edge.sources.add()
    const statuses: number[] = []
    for (let sent = 0; sent < 6; sent++) {
      const response = await postSignal(edge.url, id, large, { 'x-service-signature': sign('another body') })
      statuses.push(response.status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
  })

  it('takes the client from the proxy that it is told to trust, and from no other', async () => {
    const behind = await startTestEdge({ maxFailuresPerMinute: 1, clientAddressHeader: 'x-forwarded-for' })
    try {
      const { id } = behind.sources.add()
      const wrong = (forwarded: string) =>
        postSignal(behind.url, id, { text: 'x' }, { 'x-service-signature': sign('y'), 'x-forwarded-for': forwarded })
      assert.equal((await wrong('203.0.113.9, 198.51.100.1')).status, 401)
      assert.equal((await wrong('203.0.113.8, 198.51.100.1')).status, 429)
      assert.equal((await wrong('198.51.100.2')).status, 401)
    } finally {
      await behind.stop()
    }
  })
})
