import { AssayError, isAssayError } from '../runtime/errors.ts'
import { isUnavailable } from './batching-embedder.ts'
import type { Embedder } from './port.ts'
import { unitVector } from './vectors.ts'

/** A text's unit vector, or why the model has none for it. */
export type Embedded = Float32Array | AssayError

/**
 * The vector of each text, in order. When the model works and fails for some text, each is asked for alone, so that it fails alone; those
 * that were answered are in the embedder's cache. Rejects when the model is away.
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
