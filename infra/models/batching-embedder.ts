import { createHash } from 'node:crypto'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import { unitVector } from '../vectors.ts'
import { createModelCalls, isUnavailable, type ModelWatch } from './model-calls.ts'
import type { Embedder } from './port.ts'

/** Events of an embedder's work, for metrics. */
export interface EmbedderWatch extends ModelWatch {
  /** Number of requested texts with and without a cached vector. */
  texts(cached: number, embedded: number): void
}

export interface BatchingOptions {
  /** Maximum of texts in a request. */
  readonly batchSize: number
  /** Maximum of concurrent requests of all callers. */
  readonly concurrency: number
  /** Maximum of cached vectors, of 4 KiB each. */
  readonly cachedVectors: number
  readonly watch?: EmbedderWatch | undefined
}

/** A text that any model can embed: a model that fails for it fails for every text. */
const HARMLESS = 'test'

/**
 * An embedder that sends texts to `model` in batches, several at a time, and caches vectors. The vectors of a batch are
 * kept when another batch fails: a repeated call requests only the rest. A model that fails for a harmless text too, or
 * is overloaded, is `unavailable`, so that no text is blamed.
 */
export const createBatchingEmbedder = (model: Embedder, options: BatchingOptions): Embedder => {
  const { batchSize, concurrency, cachedVectors, watch } = options
  const limit = createLimit(concurrency)
  const cache = createVectorCache(model.model, cachedVectors)
  const askHarmless = () => model.embed([HARMLESS])
  const embedBatch = createModelCalls({ askHarmless, unreadable: 'unavailable', watch })

  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const vectors = new Map<string, Float32Array>()
    const missing = new Set<string>()
    for (const text of texts) {
      const cached = cache.get(text)
      if (cached === undefined) missing.add(text)
      else vectors.set(text, cached)
    }
    watch?.texts(texts.length - missing.size, missing.size)

    const errors: unknown[] = []
    const embedMissing = async (batch: readonly string[]): Promise<void> => {
      if (errors.some(isUnavailable)) return
      try {
        for (const [index, vector] of (await embedBatch(() => model.embed(batch))).entries()) {
          const text = batch[index] ?? ''
          cache.set(text, vector)
          vectors.set(text, vector)
        }
      } catch (error) {
        errors.push(error)
      }
    }
    await Promise.all(batchesOf([...missing], batchSize).map(batch => limit(() => embedMissing(batch))))
    if (errors.length > 0) throw errors.find(isUnavailable) ?? errors[0]
    return texts.map(text => {
      const vector = vectors.get(text)
      if (vector === undefined)
        throw new AssayError('internal', `The model ${model.model} left a text without a vector.`)
      return vector
    })
  }

  return { model: model.model, limitation: model.limitation, embed }
}

const batchesOf = (texts: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, index) => texts.slice(index * size, (index + 1) * size))

/** Runs work when a place is free, in the order of the calls. */
type Limit = <Result>(work: () => Promise<Result>) => Promise<Result>

export const createLimit = (places: number): Limit => {
  const waiting: (() => void)[] = []
  let free = places
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed over, so that a new caller cannot take it first.
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Vectors by model and text. Callers share a returned vector and must not change it. */
interface VectorCache {
  get(text: string): Float32Array | undefined
  set(text: string, vector: Float32Array): void
}

/**
 * Keeps at most `maxEntries` vectors of 4 KiB of a model, and drops the least recently used. Stores hashes instead of
 * texts, so that no text outlives its signal.
 */
export const createVectorCache = (model: string, maxEntries: number): VectorCache => {
  /** A map keeps its keys in the order of insertion. */
  const vectors = new Map<string, Float32Array>()
  const keyOf = (text: string) => createHash('sha256').update(model).update('\0').update(text).digest('base64')
  const put = (key: string, vector: Float32Array): void => {
    vectors.delete(key)
    vectors.set(key, vector)
  }
  return {
    get: text => {
      const key = keyOf(text)
      const vector = vectors.get(key)
      if (vector !== undefined) put(key, vector)
      return vector
    },
    set: (text, vector) => {
      put(keyOf(text), vector)
      const [oldest] = vectors.keys()
      if (vectors.size > maxEntries && oldest !== undefined) vectors.delete(oldest)
    },
  }
}

/** A text's unit vector, or why the model has none. */
type Embedded = Float32Array | AssayError

/**
 * The vector of each text, in order. When a working model fails, each text is requested alone, so that only the bad one
 * fails; the others come from the embedder's cache. Rejects when the model is away.
 */
export const embedEach = async (embedder: Embedder, texts: readonly string[]): Promise<readonly Embedded[]> => {
  if (texts.length === 0) return []
  try {
    return await embedAll(embedder, texts)
  } catch (error) {
    if (!isAssayError(error) || isUnavailable(error)) throw error
    if (texts.length === 1) return [error]
    const alone = new Map([...new Set(texts)].map(text => [text, embedEach(embedder, [text])]))
    return (await Promise.all(texts.map(text => alone.get(text) ?? []))).flat()
  }
}

const embedAll = async ({ model, embed }: Embedder, texts: readonly string[]): Promise<readonly Float32Array[]> => {
  const vectors = await embed(texts)
  if (vectors.length === texts.length) return vectors.map(vector => unitVector(model, vector))
  const message = `The embedding model ${model} answered ${vectors.length} vectors for ${texts.length} texts.`
  throw new AssayError('internal', message)
}
