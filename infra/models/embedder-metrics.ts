import { Counter, Histogram, type Metrics } from '../runtime/metrics.ts'
import type { EmbedderWatch } from './batching-embedder.ts'

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
