import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../schemas/domain/ids.ts'
import { postSignal, startTestEdge } from './testing.ts'

test('what a tenant sends beyond its share of the live lane is taken, and waits in the other', async t => {
  const edge = await startTestEdge()
  t.after(() => edge.stop())
  const tenantId = newId<TenantId>()
  const sources = Array.from({ length: 5 }, () => edge.sources.add({ tenantId }))
  const body = { text: 'x'.repeat(50_000) }
  for (let round = 0; round < 4; round += 1) {
    const answers = await Promise.all(sources.map(({ id }) => postSignal(edge.url, id, body)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  }
  const other = edge.sources.add()
  assert.equal((await postSignal(edge.url, other.id, { text: 'An ordinary signal.' })).status, 200)
  const topics = edge.log.records().map(({ topic }) => topic)
  assert.equal(topics.at(-1), 'signals.validate')
  const bulk = topics.filter(topic => topic === 'signals.validate.bulk').length
  assert.ok(bulk >= 8 && bulk <= 19, `${bulk} of 20 went to the bulk lane`)
})

test('a tenant’s bytes have a limit over all its endpoints, which the next body is not read for', async t => {
  const edge = await startTestEdge({ tenantBytesPerMinute: 300_000 })
  t.after(() => edge.stop())
  const tenantId = newId<TenantId>()
  const [one, another] = [edge.sources.add({ tenantId }), edge.sources.add({ tenantId })]
  // Four bytes each: the longest text has 200,000 of them.
  const body = { text: '🙂'.repeat(50_000) }
  // A stranger's bodies are not the tenant's.
  for (let tries = 0; tries < 3; tries += 1) {
    const forged = await postSignal(edge.url, one.id, body, { 'x-service-signature': `sha256=${'0'.repeat(64)}` })
    assert.equal(forged.status, 401)
  }
  // A body may be larger than what is left: the next ones wait for it.
  assert.equal((await postSignal(edge.url, one.id, body)).status, 200)
  const refused = await postSignal(edge.url, another.id, { text: 'one more' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(JSON.stringify(await refused.json()), /300000 bytes a minute together/)
  assert.equal((await postSignal(edge.url, edge.sources.add().id, body)).status, 200)
})
