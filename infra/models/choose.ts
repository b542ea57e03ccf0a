import { createBuiltInEmbedder } from './built-in-embedder.ts'
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.ts'
import { createOpenAiJudge } from './openai-judge.ts'
import type { Embedder, Judge } from './port.ts'
import type { ModelEndpoint } from './post-json.ts'

/** The embedder of a server, or the built-in one where none is configured. */
export const chooseEmbedder = (endpoint: OpenAiEmbedderOptions | null): Embedder =>
  endpoint === null ? createBuiltInEmbedder() : createOpenAiEmbedder(endpoint)

/** The judge of a server; without one there is no judge, and people confirm. */
export const chooseJudge = (endpoint: ModelEndpoint | null): Judge | null =>
  endpoint === null ? null : createOpenAiJudge(endpoint)
