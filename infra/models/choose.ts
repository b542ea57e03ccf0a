import { Counter, Histogram, type Metrics } from '../runtime/metrics.ts'
import { createBatchingEmbedder, type EmbedderWatch } from './batching-embedder.ts'
import { createBuiltInEmbedder, type EmbedApart } from './built-in-embedder.ts'
import { createOpenAiJudge } from './openai-chat.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'
import type { Embedder, Judge } from './port.ts'
import type { ModelEndpoint } from './post-json.ts'

/**
 * 32 MiB of vectors, and more of them than the largest batch has texts: a batch that is tried again asks for the rest
 * only.
 */
const CACHED_VECTORS = 8192
/**
 * The built-in embedder works in this process, and one request is as good as many. Work in the foreground must not wait
 * for a request of the background, which waits for the foreground.
 */
const BUILT_IN = { batchSize: CACHED_VECTORS, concurrency: Number.POSITIVE_INFINITY }

/** The embedder of a server, or the built-in one where none is configured. */
export const chooseEmbedder = (
  endpoint: OpenAiEmbedderOptions | null,
  watch?: EmbedderWatch,
  cpuBudgetMs?: number,
  embedApart?: EmbedApart,
): Embedder => {
  const shared = { cachedVectors: CACHED_VECTORS, watch }
  return endpoint === null
    ? createBatchingEmbedder(createBuiltInEmbedder(cpuBudgetMs, embedApart), { ...BUILT_IN, ...shared })
    : createBatchingEmbedder(createOpenAiEmbedder(endpoint), { ...endpoint, ...shared })
}

/** The judge of a server; without one there is no judge, and people confirm. */
export const chooseJudge = (endpoint: ModelEndpoint | null): Judge | null =>
  endpoint === null ? null : createOpenAiJudge(endpoint)

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** An embedder's Prometheus metrics. */
export const watchEmbedder = ({ registry }: Metrics): EmbedderWatch => {
  const registers = [registry]
  const hits = new Counter({
    name: 'assay_embed_cache_hits_total',
    help: 'Texts whose vector was known already',
    registers,
  })
  const misses = new Counter({
    name: 'assay_embed_cache_misses_total',
    help: 'Texts that the embedding model was asked for',
    registers,
  })
  const requests = new Histogram({
    name: 'assay_embed_request_seconds',
    help: 'How long the embedding model took to answer, by outcome',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  })
  return {
    texts: (cached, embedded) => {
      hits.inc(cached)
      misses.inc(embedded)
    },
    request: (outcome, milliseconds) => requests.observe({ outcome }, milliseconds / 1000),
  }
}
