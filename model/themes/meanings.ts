import { SIGN_WORDS, type SignBits } from '../../infra/vector-index/port.ts'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'

/** Each number of a vector in a byte: a quarter of the memory, and cosines stay within 0.005. */
const STEPS = 127

/**
 * The meanings of many texts, compared by what they have not all in common: the mean of them is taken off, which is
 * what is said of one product whatever is said.
 */
export interface Meanings {
  readonly size: number
  readonly cosine: (one: number, other: number) => number
  readonly bits: (one: number) => SignBits
  /** What is taken off. */
  readonly mean: Float64Array
  /** Where one points without the mean, of length 1. */
  readonly direction: (one: number) => Float64Array
  /** How much of a direction is in each. */
  readonly towards: (direction: Float64Array) => Float64Array
}

/** Few texts do not tell what is said of a product: their mean counts as if so many without one were there, too. */
const UNCERTAIN = 50

const D = EMBEDDING_DIMENSIONS

/** Takes so many vectors, one after the other, and answers what they mean together. */
export const collectMeanings = (most: number) => {
  const rows = new Int8Array(most * D)
  const scales = new Float64Array(most)
  const sum = new Float64Array(D)
  let size = 0
  return {
    add: (vector: Float32Array): void => {
      const scale = vector.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0) / STEPS || 1
      for (let place = 0; place < D; place += 1) {
        const step = Math.round((vector[place] ?? 0) / scale)
        rows[size * D + place] = step
        sum[place] = (sum[place] ?? 0) + step * scale
      }
      scales[size] = scale
      size += 1
    },
    done: (): Meanings =>
      meaningsOf(
        rows,
        scales.subarray(0, size),
        sum.map(value => value / (size + UNCERTAIN)),
      ),
  }
}

const meaningsOf = (rows: Int8Array, scales: Float64Array, mean: Float64Array): Meanings => {
  const square = mean.reduce((sum, value) => sum + value * value, 0)
  /** How much of the mean is in each, and how long each is without it. */
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
