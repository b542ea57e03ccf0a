import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { AssayError } from '../runtime/errors.ts'
import { LEAST_DIMENSIONS, rotate, unitVector } from '../vectors.ts'
import { knownModel } from './calibration.ts'
import type { Embedder } from './port.ts'
import { type ModelEndpoint, postJson } from './post-json.ts'
import { servedName } from './unchanged-embedder.ts'

/**
 * A model's vector as Assay stores it. A shorter vector is filled up with zeros and rotated, so that each of its sign
 * bits carries information; cosines stay the same. For known models the mean is subtracted before, since their vectors
 * all point in nearly the same direction.
 */
export const filledVector = (model: string, values: ArrayLike<number>): Float32Array => {
  if (values.length < LEAST_DIMENSIONS || values.length >= EMBEDDING_DIMENSIONS) return unitVector(model, values)
  const filled = new Float64Array(EMBEDDING_DIMENSIONS)
  filled.set(values)
  const unit = unitVector(model, filled)
  filled.set(unit)
  const mean = knownModel(model)?.mean ?? []
  if (mean.length === values.length) for (const [at, shared] of mean.entries()) filled[at] = (filled[at] ?? 0) - shared
  rotate(filled)
  return unitVector(model, filled)
}

export interface OpenAiEmbedderOptions extends ModelEndpoint {
  /** Maximum of texts in a request. */
  readonly batchSize: number
  /** Maximum of concurrent requests. */
  readonly concurrency: number
  /** Requests 1024 dimensions from a model that can shorten its vectors; other servers refuse the parameter. */
  readonly requestDimensions: boolean
}

const EmbeddingsAnswer = Type.Object({
  data: Type.Array(Type.Object({ index: Type.Integer({ minimum: 0 }), embedding: Type.Array(Type.Unknown()) })),
})
const embeddingsAnswer = Compile(EmbeddingsAnswer)

/**
 * An embedder behind `/v1/embeddings`, as TEI, Ollama, vLLM, Voyage, OpenAI and others serve it. Sends one request for
 * all texts.
 */
export const createOpenAiEmbedder = (
  options: ModelEndpoint & Pick<OpenAiEmbedderOptions, 'requestDimensions'>,
): Embedder => ({
  model: options.model,
  limitation: null,
  embed: async texts => {
    const answer = await postJson(options, 'embeddings', {
      model: servedName(options.model),
      input: texts,
      encoding_format: 'float',
      ...(options.requestDimensions ? { dimensions: EMBEDDING_DIMENSIONS } : {}),
    })
    if (!embeddingsAnswer.Check(answer)) {
      throw new AssayError('internal', `The embedding model ${options.model} answered in an unknown shape.`)
    }
    return inOrder(options.model, answer, texts.length)
  },
})

/** Servers may answer in any order; `index` is the text's position. */
const inOrder = (model: string, answer: Static<typeof EmbeddingsAnswer>, expected: number): readonly Float32Array[] => {
  const byIndex = new Map(answer.data.map(({ index, embedding }) => [index, embedding]))
  if (answer.data.length !== expected || byIndex.size !== expected) {
    throw new AssayError(
      'internal',
      `The embedding model ${model} answered ${answer.data.length} vectors for ${expected} texts.`,
    )
  }
  return Array.from({ length: expected }, (_, index) => {
    const embedding = byIndex.get(index)
    if (embedding === undefined)
      throw new AssayError('internal', `The embedding model ${model} left text ${index} out.`)
    return filledVector(model, embedding.map(numberOrNaN))
  })
}

/** JSON has no NaN: servers write null instead. */
const numberOrNaN = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
