import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { duration, flag, integer, optional, text, url } from '../runtime/settings.ts'
import type { OpenAiEmbedderOptions } from './openai-embedder.ts'
import type { ModelEndpoint } from './post-json.ts'

/** The models of all programs. Without URLs: the built-in embedder, no judge, and the built-in classifier. */
export const MODELS_CONFIG = {
  embeddingsUrl: optional(
    url({
      env: 'EMBEDDINGS_URL',
      doc: 'An OpenAI-compatible server of embeddings of 128 to 1024 dimensions (TEI, Ollama, vLLM and others). Without it the built-in embedder is used.',
    }),
  ),
  embeddingsModel: text({
    env: 'EMBEDDINGS_MODEL',
    default: 'bge-m3',
    doc: 'The model to ask that server for. What stands behind a `#` is for Assay alone: where the server has other vectors under the same name, `bge-m3#2` is another model, and all texts are embedded again.',
  }),
  embeddingsApiKey: optional(text({ env: 'EMBEDDINGS_API_KEY', secret: true, doc: 'Its key, where it wants one.' })),
  embeddingsTimeoutMs: duration({ env: 'EMBEDDINGS_TIMEOUT', default: 30_000, doc: 'How long it may take to answer.' }),
  embeddingsBatch: integer({
    env: 'EMBEDDINGS_BATCH',
    default: 32,
    min: 1,
    max: 2048,
    doc: 'At most this many texts a request.',
  }),
  embeddingsConcurrency: integer({
    env: 'EMBEDDINGS_CONCURRENCY',
    default: 4,
    min: 1,
    max: 256,
    doc: 'At most this many requests at a time, of each program.',
  }),
  embeddingsRequestDimensions: flag({
    env: 'EMBEDDINGS_REQUEST_DIMENSIONS',
    default: false,
    doc: 'Whether to ask for 1024 dimensions, of a model that can shorten its vectors.',
  }),
  judgeUrl: optional(
    url({
      env: 'JUDGE_URL',
      doc: 'An OpenAI-compatible server of chat completions that confirms whether two signals are one problem. Without it nothing merges by itself; people confirm.',
    }),
  ),
  judgeModel: text({ env: 'JUDGE_MODEL', default: 'gpt-4o-mini', doc: 'The model to ask that server for.' }),
  judgeApiKey: optional(text({ env: 'JUDGE_API_KEY', secret: true, doc: 'Its key, where it wants one.' })),
  judgeTimeoutMs: duration({ env: 'JUDGE_TIMEOUT', default: 60_000, doc: 'How long it may take to answer.' }),
  classifierUrl: optional(
    url({
      env: 'CLASSIFIER_URL',
      doc: 'An OpenAI-compatible server of chat completions that says whether a signal is a problem, an idea or a question. Without it the built-in classifier does.',
    }),
  ),
  classifierModel: text({ env: 'CLASSIFIER_MODEL', default: 'gpt-4o-mini', doc: 'The model to ask that server for.' }),
  classifierApiKey: optional(text({ env: 'CLASSIFIER_API_KEY', secret: true, doc: 'Its key, where it wants one.' })),
  classifierTimeoutMs: duration({ env: 'CLASSIFIER_TIMEOUT', default: 30_000, doc: 'How long it may take to answer.' }),
} satisfies ConfigSchema

type ModelsConfig = ConfigOf<typeof MODELS_CONFIG>

/** Null for the built-in embedder. */
export const embeddingsEndpoint = (config: ModelsConfig): OpenAiEmbedderOptions | null =>
  config.embeddingsUrl === null
    ? null
    : {
        baseUrl: config.embeddingsUrl,
        model: config.embeddingsModel,
        apiKey: config.embeddingsApiKey,
        timeoutMs: config.embeddingsTimeoutMs,
        batchSize: config.embeddingsBatch,
        concurrency: config.embeddingsConcurrency,
        requestDimensions: config.embeddingsRequestDimensions,
      }

/** Null without a judge. */
export const judgeEndpoint = (config: ModelsConfig): ModelEndpoint | null =>
  config.judgeUrl === null
    ? null
    : {
        baseUrl: config.judgeUrl,
        model: config.judgeModel,
        apiKey: config.judgeApiKey,
        timeoutMs: config.judgeTimeoutMs,
      }

/** Null for the built-in classifier. */
export const classifierEndpoint = (config: ModelsConfig): ModelEndpoint | null =>
  config.classifierUrl === null
    ? null
    : {
        baseUrl: config.classifierUrl,
        model: config.classifierModel,
        apiKey: config.classifierApiKey,
        timeoutMs: config.classifierTimeoutMs,
      }
