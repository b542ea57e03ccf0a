import { Counter, Histogram, type Metrics } from '../runtime/metrics.ts'
import { createBatchingEmbedder, type EmbedderWatch } from './batching-embedder.ts'
import { createBuiltInEmbedder } from './built-in-embedder.ts'
import { createModelCalls, type ModelCalls, type ModelWatch } from './model-calls.ts'
import { createOpenAiClassifier, createOpenAiJudge } from './openai-chat.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'
import type { Classifier, Embedder, Judge } from './port.ts'
import type { ModelEndpoint } from './post-json.ts'
import { createUnchangedEmbedder, type Fingerprints } from './unchanged-embedder.ts'

/** 32 MiB of vectors. More than the largest batch of texts, so that a repeated batch requests only the missing ones. */
const CACHED_VECTORS = 8192
/**
 * The built-in embedder works in this process, without requests. Unlimited, since foreground work must not wait for a
 * request of background work, which itself waits for the foreground.
 */
const BUILT_IN = { batchSize: CACHED_VECTORS, concurrency: Number.POSITIVE_INFINITY }

/**
 * The embedder of a server, or the built-in one without a server. A server's embedder is refused when the server has
 * another model under the same name; the built-in model's name includes its version.
 */
export const chooseEmbedder = (
  endpoint: OpenAiEmbedderOptions | null,
  fingerprints: Fingerprints,
  watch?: EmbedderWatch,
  builtIn: Embedder = createBuiltInEmbedder(),
): Embedder => {
  const shared = { cachedVectors: CACHED_VECTORS, watch }
  return endpoint === null
    ? createBatchingEmbedder(builtIn, { ...BUILT_IN, ...shared })
    : createBatchingEmbedder(createUnchangedEmbedder(createOpenAiEmbedder(endpoint), fingerprints), {
        ...endpoint,
        ...shared,
      })
}

/** A text that any judge and classifier can answer for. */
const HARMLESS = 'The export fails.'

/** A chat server with unusable answers stops nothing: people confirm, and the built-in classifier answers. */
const chatCalls = (askHarmless: () => Promise<unknown>, watch?: ModelWatch): ModelCalls =>
  createModelCalls({ askHarmless, unreadable: 'unsupported', watch })

/** The judge of a server; null without a server: people confirm. */
export const chooseJudge = (endpoint: ModelEndpoint | null, watch?: ModelWatch): Judge | null => {
  if (endpoint === null) return null
  const { model, judge } = createOpenAiJudge(endpoint)
  const calls = chatCalls(() => judge(HARMLESS, HARMLESS), watch)
  return { model, judge: (signal, candidate) => calls(() => judge(signal, candidate)) }
}

/** The classifier of a server; null without a server: the built-in one classifies. */
export const chooseClassifier = (endpoint: ModelEndpoint | null, watch?: ModelWatch): Classifier | null => {
  if (endpoint === null) return null
  const { version, classify } = createOpenAiClassifier(endpoint)
  const calls = chatCalls(() => classify({ text: HARMLESS, event: null }), watch)
  return { version, classify: signal => calls(() => classify(signal)) }
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

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
  return {
    ...watchRequests(registry, 'assay_embed_request_seconds', 'embedding model'),
    texts: (cached, embedded) => {
      hits.inc(cached)
      misses.inc(embedded)
    },
  }
}

export const watchChat = ({ registry }: Metrics, name: 'judge' | 'classifier'): ModelWatch =>
  watchRequests(registry, CHAT_REQUESTS[name], name)

const CHAT_REQUESTS = {
  judge: 'assay_judge_request_seconds',
  classifier: 'assay_classifier_request_seconds',
} as const

const watchRequests = (registry: Metrics['registry'], name: string, what: string): ModelWatch => {
  const requests = new Histogram({
    name,
    help: `How long the ${what} took to answer, by outcome`,
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers: [registry],
  })
  return { request: (outcome, milliseconds) => requests.observe({ outcome }, milliseconds / 1000) }
}
