import { createHash } from 'node:crypto'

/** Vectors by model and text. A vector that it answers is shared: nobody changes it. */
export interface VectorCache {
  get(text: string): Float32Array | undefined
  set(text: string, vector: Float32Array): void
}

/**
 * Keeps at most `maxEntries` vectors of a model, the least recently used of which goes first; each takes 4 KiB. Texts are known by
 * their hash alone, so that none is held longer than its signal.
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
