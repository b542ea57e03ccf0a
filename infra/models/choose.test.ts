import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../runtime/metrics.ts'
import { createBatchingEmbedder } from './batching-embedder.ts'
import { createBuiltInEmbedder } from './built-in-embedder.ts'
import { watchEmbedder } from './choose.ts'

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
  const { body } = await metrics.expose()
  for (const line of [
    'assay_embed_cache_hits_total{program="test"} 1',
    'assay_embed_cache_misses_total{program="test"} 4',
    'assay_embed_request_seconds_count{program="test",outcome="ok"} 3',
  ]) {
    assert.ok(body.split('\n').includes(line), `${line} is not in:\n${body}`)
  }
})
