import { createHash } from 'node:crypto'
import { AssayError, isAssayError } from '../runtime/errors.ts'
import { unitVector } from '../vectors.ts'
import { createModelCalls, isUnavailable, type ModelWatch } from './model-calls.ts'
import type { Embedder } from './port.ts'

/** What is recorded of an embedder's work, for metrics. */
export interface EmbedderWatch extends ModelWatch {
  /** How many of the texts asked for had their vector in the cache, and how many had not. */
  texts(cached: number, embedded: number): void
}

export interface BatchingOptions {
  /** At most this many texts a request. */
  readonly batchSize: number
  /** At most this many requests at a time, for all callers together. */
  readonly concurrency: number
  /** How many vectors are kept, of 4 KiB each. */
  readonly cachedVectors: number
  readonly watch?: EmbedderWatch | undefined
}

/** Any model can embed it, so that a model which fails for it as well fails for everything. */
const HARMLESS = 'test'

/**
 * An embedder that asks `model` for no text twice while its vector is cached, in batches, several at a time. What a
 * batch answered is kept also when another one fails: whoever asks again, for all or one by one, pays for the rest
 * only. A model that fails for a harmless text too, or says that it has too much to do, is `unavailable`: nobody blames
 * a text for it.
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

/** Runs work when a place is free: at most so many at a time, the others in the order in which they came. */
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
      // The place is handed over, so that nobody who comes just now can take it first.
      if (next === undefined) free += 1
      else next()
    }
  }
}

/** Vectors by model and text. A vector that it answers is shared: nobody changes it. */
interface VectorCache {
  get(text: string): Float32Array | undefined
  set(text: string, vector: Float32Array): void
}

/**
 * Keeps at most `maxEntries` vectors of a model, the least recently used of which goes first; each takes 4 KiB. Texts
 * are known by their hash alone, so that none is held longer than its signal.
 */
export const createVectorCache = (model: string, maxEntries: number): VectorCache => {
  /** A map answers its keys in the order in which they were put in. */
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

/** A text's unit vector, or why the model has none for it. */
type Embedded = Float32Array | AssayError

/**
 * The vector of each text, in order. When the model works and fails for some text, each is asked for alone, so that it
 * fails alone; those that were answered are in the embedder's cache. Rejects when the model is away.
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
