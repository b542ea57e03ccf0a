import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { metricsLabel } from '../model/sources/proof.ts'
import { postSignal, startTestEdge } from './testing.ts'

describe('what operators ask the edge', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  before(async () => {
    edge = await startTestEdge()
  })
  after(() => edge.stop())

  it('counts what was accepted and what was refused and why, by receiver and by source, and never shows an endpoint', async () => {
    const { id } = edge.sources.add()
    await postSignal(edge.url, id, { text: 'x' })
    await postSignal(edge.url, id, { text: 'x' })
    await postSignal(edge.url, id, {})
    await postSignal(edge.url, id, { text: 'x' }, { 'x-service-signature': 'none' })
    const response = await fetch(`${edge.url}/metrics`)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
    const text = await response.text()
    const value = (name: string) => {
      const line = text.split('\n').find(candidate => candidate.startsWith(name))
      return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')))
    }
    assert.equal(value('assay_ingest_accepted_total{receiver="signal"'), 2)
    assert.equal(value('assay_ingest_refused_total{receiver="signal",reason="invalid_body"'), 1)
    assert.equal(value('assay_ingest_refused_total{receiver="signal",reason="signature_malformed"'), 1)
    const ofSource = (outcome: string) =>
      value(`assay_ingest_source_requests_total{source="${metricsLabel(id)}",outcome="${outcome}"`)
    assert.equal(ofSource('accepted'), 2)
    assert.equal(ofSource('invalid_body'), 1)
    assert.equal(value('assay_ingest_append_seconds_count'), 2)
    assert.equal(value('assay_ingest_in_flight_bytes'), 0)
    assert.equal(value('assay_ingest_sources'), 1)
    assert.ok(!text.includes(id))
  })

  it('is ready with its log and its sources, and says which', async () => {
    const ready = (await (await fetch(`${edge.url}/readyz`)).json()) as { checks: object }
    assert.deepEqual(ready.checks, { log: 'ok', sources: 'ok' })
    edge.log.setUnavailable(true)
    const response = await fetch(`${edge.url}/readyz`)
    assert.equal(response.status, 503)
    assert.deepEqual(((await response.json()) as { checks: object }).checks, { log: 'The log is away.', sources: 'ok' })
    edge.log.setUnavailable(false)
  })

  it('answers 404 to every other path when nothing is behind it', async () => {
    const response = await fetch(`${edge.url}/app`)
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
  })

  it('refuses to start on a port that is taken, and says what to do', async () => {
    await assert.rejects(startTestEdge({ port: edge.port }), { code: 'unavailable', message: /Set PORT or HOST/ })
  })
})
