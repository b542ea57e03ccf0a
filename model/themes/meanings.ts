import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { SIGN_WORDS, type SignBits } from '../../infra/vector-index/port.ts'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'

/** Each number of a vector takes a byte: a quarter of the memory, with cosines within 0.005. */
const STEPS = 127

/**
 * Vectors of many texts without what they have in common: the mean of all, because all texts are about one product, and
 * the part of the mean that a language adds. On eleven labelled sets, seven of which have several languages, the second
 * part makes themes that agree better with people's (decision 161).
 */
export interface Meanings {
  readonly size: number
  readonly cosine: (one: number, other: number) => number
  readonly bits: (one: number) => SignBits
  /** The mean that is subtracted from texts without a language of their own in `means`. */
  readonly mean: Float64Array
  /** The mean that is subtracted from texts of a language. */
  readonly means: ReadonlyMap<string, Float64Array>
  /** Direction of a text without the mean, of length 1. */
  readonly direction: (one: number) => Float64Array
  /** Cosine of each text to a direction. */
  readonly towards: (direction: Float64Array) => Float64Array
}

/** Virtual texts without a mean, because few texts do not show what is common to a product. */
const UNCERTAIN = 50

/** Virtual texts of a language without a part of their own. */
const UNCERTAIN_OF_LANGUAGE = 5
/** A language with fewer texts has no part of its own. */
const MIN_OF_LANGUAGE = 5

const D = EMBEDDING_DIMENSIONS

/** Sum of vectors, and how many they are. */
interface Summed {
  readonly sum: Float64Array
  count: number
}

/** Vectors between two turns of the event loop. */
const A_TURN = 500

/** Collects up to `most` vectors with their languages, then answers their meanings. */
export const collectMeanings = (most: number) => {
  const rows = new Int8Array(most * D)
  const scales = new Float64Array(most)
  const languages: (string | null)[] = []
  const all: Summed = { sum: new Float64Array(D), count: 0 }
  const byLanguage = new Map<string, Summed>()

  const set = (at: number, vector: ArrayLike<number>): void => {
    let greatest = 0
    for (let place = 0; place < D; place += 1) greatest = Math.max(greatest, Math.abs(vector[place] ?? 0))
    const scale = greatest / STEPS || 1
    for (let place = 0; place < D; place += 1) rows[at * D + place] = Math.round((vector[place] ?? 0) / scale)
    scales[at] = scale
  }
  const addTo = (summed: Summed, at: number): void => {
    const scale = scales[at] ?? 0
    for (let place = 0, row = at * D; place < D; place += 1)
      summed.sum[place] = (summed.sum[place] ?? 0) + (rows[row + place] ?? 0) * scale
    summed.count += 1
  }
  const summedOf = (language: string): Summed => {
    const known = byLanguage.get(language) ?? { sum: new Float64Array(D), count: 0 }
    byLanguage.set(language, known)
    return known
  }
  const subtract = (at: number, part: Float64Array): void => {
    const scale = scales[at] ?? 0
    set(
      at,
      part.map((value, place) => (rows[at * D + place] ?? 0) * scale - value),
    )
  }

  return {
    add: (vector: Float32Array, language: string | null = null): void => {
      const at = languages.push(language) - 1
      set(at, vector)
      addTo(all, at)
      if (language !== null) addTo(summedOf(language), at)
    },
    done: async (): Promise<Meanings> => {
      const parts = partsOf(byLanguage, all)
      for (const [at, language] of languages.entries()) {
        if (at % A_TURN === 0) await yieldToEventLoop()
        const part = language === null ? undefined : parts.get(language)
        if (part !== undefined) subtract(at, part)
      }
      const mean = all.sum.map(value => value / (all.count + UNCERTAIN))
      const means = new Map(
        [...parts].map(([language, part]) => [language, mean.map((value, place) => value + (part[place] ?? 0))]),
      )
      return { ...meaningsOf(rows, scales.subarray(0, all.count), mean), means }
    },
  }
}

/** What each language adds to the mean of all texts. A language of too few texts is left out. */
const partsOf = (byLanguage: ReadonlyMap<string, Summed>, all: Summed): ReadonlyMap<string, Float64Array> =>
  new Map(
    [...byLanguage].flatMap(([language, { sum, count }]) => {
      if (count < MIN_OF_LANGUAGE) return []
      const weight = 1 / (count + UNCERTAIN_OF_LANGUAGE)
      const part = sum.map((value, place) => (value - (count * (all.sum[place] ?? 0)) / all.count) * weight)
      return [[language, part] as const]
    }),
  )

const meaningsOf = (rows: Int8Array, scales: Float64Array, mean: Float64Array): Omit<Meanings, 'means'> => {
  const square = mean.reduce((sum, value) => sum + value * value, 0)
  /** Product of each vector with the mean. */
  const along = scales.map((scale, at) => {
    let sum = 0
    for (let place = 0; place < D; place += 1) sum += (rows[at * D + place] ?? 0) * (mean[place] ?? 0)
    return sum * scale
  })
  const dot = (one: number, other: number): number => {
    let sum = 0
    for (let place = 0, left = one * D, right = other * D; place < D; place += 1)
      sum += (rows[left + place] ?? 0) * (rows[right + place] ?? 0)
    return sum * (scales[one] ?? 0) * (scales[other] ?? 0)
  }
  const without = (one: number, other: number): number =>
    dot(one, other) - (along[one] ?? 0) - (along[other] ?? 0) + square
  const lengths = scales.map((_, at) => Math.sqrt(Math.max(without(at, at), Number.EPSILON)))
  return {
    size: scales.length,
    cosine: (one, other) => without(one, other) / ((lengths[one] ?? 1) * (lengths[other] ?? 1)),
    bits: one => {
      const bits = new Uint32Array(SIGN_WORDS)
      const scale = scales[one] ?? 1
      for (let place = 0; place < D; place += 1)
        if ((rows[one * D + place] ?? 0) * scale > (mean[place] ?? 0)) {
          const word = place >>> 5
          bits[word] = (bits[word] ?? 0) | (1 << (31 - (place & 31)))
        }
      return bits
    },
    mean,
    direction: one => {
      const [scale, length] = [scales[one] ?? 0, lengths[one] ?? 1]
      return mean.map((taken, place) => ((rows[one * D + place] ?? 0) * scale - taken) / length)
    },
    towards: direction => {
      const taken = mean.reduce((sum, value, place) => sum + value * (direction[place] ?? 0), 0)
      return scales.map((scale, at) => {
        let sum = 0
        for (let place = 0, row = at * D; place < D; place += 1)
          sum += (rows[row + place] ?? 0) * (direction[place] ?? 0)
        return (sum * scale - taken) / (lengths[at] ?? 1)
      })
    },
  }
}
