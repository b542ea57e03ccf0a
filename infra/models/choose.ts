import { createBatchingEmbedder, type EmbedderWatch } from './batching-embedder.ts'
import { createBuiltInEmbedder, type EmbedApart } from './built-in-embedder.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'
import { createOpenAiJudge } from './openai-judge.ts'
import type { Embedder, Judge } from './port.ts'
import type { ModelEndpoint } from './post-json.ts'

/** 32 MiB of vectors, and more of them than the largest batch has texts: a batch that is tried again asks for the rest only. */
const CACHED_VECTORS = 8192
/**
 * The built-in embedder works in this process, and one request is as good as many. Work in the foreground must not wait for a request of the
 * background, which waits for the foreground.
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
