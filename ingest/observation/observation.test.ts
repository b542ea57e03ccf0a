import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { metricsLabel } from '../../model/sources/proof.ts'
import type { Source } from '../registry/source.ts'
import { createFakeLog, createFakeSources, postSignal, startTestEdge, testCodecs } from '../testing.ts'
import { createSourceMetrics } from './observation.ts'
import { createRefusals, type RefusalsPorts } from './refusals.ts'

const newSource = (): Source => createFakeSources().add()

const refused = (source: Source, reason: string) => ({ receiver: 'signal', source, refused: reason })

const createRefusalsWith = (options: Partial<RefusalsPorts>) => {
  const log = createFakeLog()
  let count = 0
  const refusals = createRefusals({
    log,
    codecs: testCodecs,
    logger: createLogger({ level: 'silent', program: 'ingest' }),
    onUnreported: times => {
      count += times
    },
    now: Date.now,
    reportMs: 60_000,
    ...options,
  })
  return { refusals, log, unreported: () => count }
}

describe('refused requests of a source', () => {
  it('are told as one activity for a reason, however many there were, and floods with them', async () => {
    const edge = await startTestEdge({ maxFailuresPerMinute: 5 })
    const source = edge.sources.add()
    const began = Date.now()
    for (let sent = 0; sent < 20; sent++) await postSignal(edge.url, source.id, {}, { 'x-service-signature': 'none' })
    const other = edge.sources.add()
    await postSignal(edge.url, other.id, {})
    await postSignal(edge.url, other.id, { text: 'accepted' })
    await edge.stop()
    const told = (await edge.activities()).filter(({ kind }) => kind === 'source.refused')
    assert.deepEqual(
      told.map(({ source_id, reason, times }) => [source_id, reason, times]),
      [
        [source.id, 'signature_malformed', 5],
        [source.id, 'too_many_failures', 15],
        [other.id, 'invalid_body', 1],
      ],
    )
    for (const { workspace_id, occurred_at } of told) {
      assert.ok([source.workspaceId, other.workspaceId].some(id => id === workspace_id))
      assert.ok(occurred_at >= began && occurred_at <= Date.now())
    }
  })

  it('are dropped and counted while the log is away, and no answer waits for it', async () => {
    const { refusals, log, unreported } = createRefusalsWith({ reportMs: 20 })
    log.setUnavailable(true)
    refusals.observe(refused(newSource(), 'invalid_json'))
    refusals.observe(refused(newSource(), 'invalid_json'))
    await eventually('both are given up', () => unreported() === 2)
    log.setUnavailable(false)
    refusals.observe(refused(newSource(), 'invalid_json'))
    await refusals.stop()
    assert.equal(log.records().length, 1)
  })

  it('wait in bounded memory while the log takes its time', async () => {
    const { refusals, log, unreported } = createRefusalsWith({ reportMs: 10, maxPairs: 3 })
    const release = log.hold()
    const [source] = [newSource()]
    refusals.observe(refused(source, 'invalid_json'))
    await eventually('the report is on its way', () => log.offered() === 1)
    for (let more = 0; more < 5; more++) refusals.observe(refused(newSource(), 'invalid_json'))
    assert.equal(unreported(), 2)
    // A report at a time: the others wait for the first.
    await new Promise(resolve => setTimeout(resolve, 50))
    assert.equal(log.offered(), 1)
    release()
    await refusals.stop()
    assert.equal(log.records().length, 4)
  })

  it('do not hold up the stop when the log never answers', async () => {
    const { refusals, log } = createRefusalsWith({ stopMs: 20 })
    log.hold()
    refusals.observe(refused(newSource(), 'invalid_json'))
    await refusals.stop()
    assert.equal(log.records().length, 0)
  })
})

describe('the figures of each source', () => {
  const create = (maxSources: number) => {
    const metrics = createMetrics({ program: 'test', ofProcess: false })
    let at = 1_000_000
    const sources = createSourceMetrics(metrics, { now: () => at, maxSources, idleMs: 60_000 })
    const lines = async () => (await metrics.expose()).body.split('\n')
    return {
      observe: (source: Source | null, reason: string | null) =>
        sources.observe({ receiver: 'signal', source, refused: reason }),
      pass: (ms: number) => {
        at += ms
      },
      requests: async (label: string, outcome: string) => {
        const name = `assay_ingest_source_requests_total{source="${label}",outcome="${outcome}"`
        return Number((await lines()).find(line => line.startsWith(name))?.split(' ')[1] ?? 0)
      },
      lastSeen: async (label: string) => {
        const name = `assay_ingest_source_last_seen_seconds{source="${label}"`
        return Number((await lines()).find(line => line.startsWith(name))?.split(' ')[1] ?? Number.NaN)
      },
    }
  }

  it('say what was accepted, what was refused and why, and when the last request came', async () => {
    const { observe, pass, requests, lastSeen } = create(10)
    const source = newSource()
    const label = metricsLabel(source.id)
    observe(source, null)
    observe(source, null)
    pass(5_000)
    observe(source, 'rate_limited')
    observe(null, 'unknown_endpoint')
    assert.equal(await requests(label, 'accepted'), 2)
    assert.equal(await requests(label, 'rate_limited'), 1)
    assert.equal(await lastSeen(label), 1005)
    // Asked again, they are the same: reading them changes nothing.
    assert.equal(await requests(label, 'accepted'), 2)
  })

  it('are of so many sources and no more, and no request is missing from them', async () => {
    const { observe, pass, requests } = create(2)
    const [first, second, third] = [newSource(), newSource(), newSource()]
    for (const source of [first, second, third, third]) observe(source, null)
    assert.equal(await requests(metricsLabel(first.id), 'accepted'), 1)
    assert.equal(await requests(metricsLabel(third.id), 'accepted'), 0)
    assert.equal(await requests('other', 'accepted'), 2)

    pass(60_000)
    observe(second, null)
    observe(third, null)
    assert.equal(await requests(metricsLabel(third.id), 'accepted'), 1, 'it has the place of one that was silent')
    assert.equal(await requests(metricsLabel(first.id), 'accepted'), 0)
    assert.equal(await requests('other', 'accepted'), 3)
  })
})
