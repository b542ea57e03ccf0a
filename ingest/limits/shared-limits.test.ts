import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { createValkey } from '../../infra/valkey/client.ts'
import { describeWithValkey, type TestValkey } from '../../infra/valkey/testing.ts'
import { createFakeSources, postSignal, startTestEdge } from '../testing.ts'
import { createRateLimit } from './rate-limit.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

/** Two edges that know the same sources and count in the same server; `shared` says what their metrics say. */
const startTwoEdges = async (t: TestContext, server: TestValkey, commandTimeoutMs = 10_000) => {
  const sources = createFakeSources()
  const start = async () => {
    const valkey = createValkey({ url: server.url, logger, watchMs: 50, commandTimeoutMs })
    const edge = await startTestEdge({}, { valkey, sources: sources.loader })
    t.after(async () => {
      await edge.stop()
      valkey.close()
    })
    return edge
  }
  const edges = [await start(), await start()] as const
  const shared = async (): Promise<string> => {
    const texts = edges.map(async ({ url }) => (await fetch(`${url}/metrics`)).text())
    return (await Promise.all(texts)).map(text => /^assay_ingest_limits_shared\{.*\} (.)$/m.exec(text)?.[1]).join('')
  }
  return { sources, edges, shared }
}

/**
 * Posts so many signals, by turns to each edge; answers the headers of each that was accepted, and of each that was
 * not.
 */
const postByTurns = async (edges: readonly { url: string }[], id: string, count: number) => {
  const accepted: Headers[] = []
  const refused: Headers[] = []
  for (let sent = 0; sent < count; sent++) {
    const { status, headers } = await postSignal(edges[sent % edges.length]?.url ?? '', id, { text: `number ${sent}` })
    if (status === 429) refused.push(headers)
    else if (status === 200) accepted.push(headers)
    else assert.fail(`status ${status}`)
  }
  return { accepted, refused }
}

await describeWithValkey(server => {
  test('Edges that share a server take 100 requests a minute in sum, and their headers count together.', async t => {
    t.after(() => server.stop())
    await server.start()
    const { sources, edges, shared } = await startTwoEdges(t, server)
    await eventually('both edges count together', async () => (await shared()) === '11')
    const { id } = sources.add()
    const { accepted, refused } = await postByTurns(edges, id, 110)
    assert.equal(accepted.length, 100)
    const remaining = accepted.map(headers => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]))
    assert.deepEqual(
      remaining,
      Array.from({ length: 100 }, (_, index) => 99 - index),
    )
    for (const headers of refused) {
      assert.equal(headers.get('ratelimit-policy'), '"endpoint";q=100;w=60')
      assert.match(headers.get('ratelimit') ?? '', /^"endpoint";r=0;t=\d+$/)
      const seconds = Number(headers.get('retry-after'))
      assert.ok(seconds >= 1 && seconds <= 60)
    }
  })

  test('When the server goes, each edge takes 100 by itself; when it is back, they count together again.', async t => {
    t.after(() => server.stop())
    await server.start()
    const { sources, edges, shared } = await startTwoEdges(t, server)
    await eventually('both edges count together', async () => (await shared()) === '11')
    await server.stop()
    await eventually('both edges know that it is gone', async () => (await shared()) === '00')
    const alone = await postByTurns(edges, sources.add().id, 202)
    assert.equal(alone.accepted.length, 200)
    assert.equal(alone.refused.length, 2)
    await server.start()
    await eventually('both edges count together again', async () => (await shared()) === '11')
    assert.equal((await postByTurns(edges, sources.add().id, 110)).accepted.length, 100)
  })

  test('A server that stands still holds no request: they are counted in memory after a moment.', async t => {
    t.after(() => server.stop())
    await server.start()
    const { sources, edges, shared } = await startTwoEdges(t, server, 100)
    await eventually('both edges count together', async () => (await shared()) === '11')
    const { id } = sources.add()
    server.pause()
    const { accepted } = await postByTurns(edges, id, 20)
    assert.equal(accepted.length, 20)
    assert.equal(await shared(), '00')
    server.resume()
    await eventually('both edges count together again', async () => (await shared()) === '11')
  })

  test('A limit of a tenant is counted under the tenant, apart from limits of other names.', async t => {
    t.after(() => server.stop())
    await server.start()
    const valkey = createValkey({ url: server.url, logger, watchMs: 50 })
    t.after(() => valkey.close())
    await eventually('it answers', valkey.answers)
    const mail = { requests: 2, seconds: 3600, per: 'tenant' } as const
    const [one, other] = [createRateLimit('mail', mail, { valkey }), createRateLimit('mail', mail, { valkey })]
    const apart = createRateLimit('letters', mail, { valkey })
    const first = await one.consume('tenant')
    assert.equal(first.kind === 'within' && first.headers.ratelimit, '"tenant";r=1;t=3600')
    assert.equal((await other.consume('tenant')).kind, 'within')
    const refused = await one.consume('tenant')
    assert.equal(refused.kind === 'refusal' && refused.headers['retry-after'], '3600')
    assert.equal((await one.consume('another')).kind, 'within')
    assert.equal((await apart.consume('tenant')).kind, 'within')
  })
})
