import { readFileSync } from 'node:fs'
import { fromVectorBytes } from '../../vectors.ts'

/** What stands behind the sum of a text's rows: one hidden layer, and a straight way past it. */
export type Layers = (sum: Float64Array) => Float64Array

/** As `model.json` describes it, and as the file has the matrices one behind the other. */
interface Matrix {
  readonly name: string
  readonly shape: readonly number[]
}

export const lengthOf = (vector: Float64Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))

/**
 * Adds what each number in says of each number out, by a row of weights for each number in. Four rows at a time, so
 * that what is added to is read and written a fourth as often.
 */
const addProduct = (into: Float64Array, weights: Float32Array, input: Float64Array): void => {
  const width = into.length
  // About half of what a hidden layer says is zero.
  const said = [...input.keys()].filter(place => input[place] !== 0)
  for (let first = 0; first < said.length; first += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = said.slice(first, first + 4)
    const left = said.length - first
    const [byA, byB, byC, byD] = [
      input[a] ?? 0,
      left > 1 ? (input[b] ?? 0) : 0,
      left > 2 ? (input[c] ?? 0) : 0,
      left > 3 ? (input[d] ?? 0) : 0,
    ]
    const [rowA, rowB, rowC, rowD] = [a * width, b * width, c * width, d * width]
    for (let to = 0; to < width; to += 1) {
      into[to] =
        (into[to] ?? 0) +
        byA * (weights[rowA + to] ?? 0) +
        byB * (weights[rowB + to] ?? 0) +
        byC * (weights[rowC + to] ?? 0) +
        byD * (weights[rowD + to] ?? 0)
    }
  }
}

export const readLayers = (file: URL, matrices: readonly Matrix[]): Layers => {
  const numbers = fromVectorBytes(readFileSync(file))
  const read = new Map<string, Float32Array>()
  let at = 0
  for (const { name, shape } of matrices) {
    const end = at + shape.reduce((product, length) => product * length, 1)
    read.set(name, numbers.subarray(at, end))
    at = end
  }
  const of = (name: string): Float32Array => {
    const matrix = read.get(name)
    if (matrix === undefined) throw new TypeError(`The table has no ${name}.`)
    return matrix
  }
  const [w1, b1, w2, b2, past] = [of('W1'), of('b1'), of('W2'), of('b2'), of('S')]
  return sum => {
    // Every sum has the same length: how long a text is says nothing.
    const scale = Math.sqrt(sum.length) / lengthOf(sum)
    const even = Float64Array.from(sum, value => value * scale)
    const hidden = Float64Array.from(b1)
    addProduct(hidden, w1, even)
    for (const [place, value] of hidden.entries()) if (value < 0) hidden[place] = 0
    const meaning = Float64Array.from(b2)
    addProduct(meaning, w2, hidden)
    addProduct(meaning, past, even)
    return meaning
  }
}
