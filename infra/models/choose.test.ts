import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, type Metrics } from '../runtime/metrics.ts'
import { createBatchingEmbedder } from './batching-embedder.ts'
import { createBuiltInEmbedder } from './built-in-embedder.ts'
import { chooseClassifier, chooseJudge, watchChat, watchEmbedder } from './choose.ts'
import { startFakeModelServer } from './testing.ts'

test('what the cache spares and what the model is asked for are counted', async () => {
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  const watch = watchEmbedder(metrics)
  const embedder = createBatchingEmbedder(createBuiltInEmbedder(), {
    batchSize: 2,
    concurrency: 1,
    cachedVectors: 10,
    watch,
  })
  await embedder.embed(['a', 'b', 'c'])
  await embedder.embed(['a', 'd'])
  await shows(metrics, [
    'assay_embed_cache_hits_total{program="test"} 1',
    'assay_embed_cache_misses_total{program="test"} 4',
    'assay_embed_request_seconds_count{program="test",outcome="ok"} 3',
  ])
})

const shows = async (metrics: Metrics, lines: readonly string[]): Promise<void> => {
  const { body } = await metrics.expose()
  for (const line of lines) assert.ok(body.split('\n').includes(line), `${line} is not in:\n${body}`)
}

const asJudge = (baseUrl: string, metrics: Metrics) => {
  const judge = chooseJudge({ baseUrl, model: 'm', apiKey: null, timeoutMs: 10_000 }, watchChat(metrics, 'judge'))
  return judge?.judge('It crashes', 'It fails')
}
const asClassifier = (baseUrl: string, metrics: Metrics) => {
  const endpoint = { baseUrl, model: 'm', apiKey: null, timeoutMs: 10_000 }
  return chooseClassifier(endpoint, watchChat(metrics, 'classifier'))?.classify({ text: 'It crashes', event: null })
}

for (const [name, ask] of [
  ['judge', asJudge],
  ['classifier', asClassifier],
] as const) {
  for (const [what, answer, code, outcome, calls] of [
    ['fails for every text is waited for', { status: 500, body: {} }, 'unavailable', 'busy', 2],
    ['has too much to do is waited for', { status: 429, body: {} }, 'unavailable', 'rate_limited', 1],
    ['answers nothing that can be read is told apart', { body: 'Sure!' }, 'unsupported', 'internal', 2],
  ] as const) {
    test(`a ${name} that ${what}, after one call, and its calls are counted`, async t => {
      const metrics = createMetrics({ program: 'test', ofProcess: false })
      const url = await startFakeModelServer(t, () => ({ ...answer, headers: { 'retry-after': '9' } }))
      await assert.rejects(async () => ask(url, metrics), {
        code,
        retryAfterSeconds: outcome === 'internal' ? null : 9,
      })
      await shows(metrics, [`assay_${name}_request_seconds_count{program="test",outcome="${outcome}"} ${calls}`])
    })
  }
}
