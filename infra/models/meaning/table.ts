import { readFileSync } from 'node:fs'
import { fromVectorBytes } from '../../vectors.ts'
import model from './model.json' with { type: 'json' }
import { createPieces, type Pieces } from './pieces.ts'

const { dimensions } = model

/** The length of a meaning's vector. */
export const MEANING_NUMBERS = model.output

/** The rows of a text's pieces, concatenated, between the rows of start and end. */
export interface TextRows {
  readonly rows: Float32Array
  readonly count: number
}

/** The rows of pieces, derived from a larger model that `model.json` names. */
interface Table {
  /** The rows of a text; null for a script that the table lacks. */
  rowsOf(text: string): TextRows | null
}

/** Limit of pieces of a text, which bounds a vector's cost: the first pieces show the meaning. */
const READ_PIECES = 64

/**
 * A text with a larger share of unknown characters is compared by spelling: the remaining pieces, such as full stops,
 * do not show its meaning.
 */
const MAX_UNKNOWN_SHARE = 0.25

let table: Table | null = null

/** The table, read from its files at the first call. */
export const readTable = (): Table => {
  table ??= openTable()
  return table
}

const urlOf = (name: string): URL => new URL(name, import.meta.url)

/** The table's pieces: a line each, with the score after a tab. */
export const readPieces = (): Pieces => {
  const lines = readFileSync(urlOf('vocabulary.txt'), 'utf8').trimEnd().split('\n')
  return createPieces(
    lines.map(line => {
      const [text = '', score] = line.split('\t')
      return { text, score: Number(score) }
    }),
  )
}

const openTable = (): Table => {
  const pieces = readPieces()
  const numbers = readFileSync(urlOf('rows.bin'))
  const scales = fromVectorBytes(readFileSync(urlOf('scales.bin')))
  const [start, end] = [model.pieces, model.pieces + 1]

  /** A row has four-bit numbers, two in a byte, each minus 8, times the row's scale. */
  const writeRow = (into: Float32Array, place: number, row: number): void => {
    const scale = scales[row] ?? 0
    const [from, to] = [(row * dimensions) / 2, place * dimensions]
    for (let at = 0; at < dimensions; at += 2) {
      const both = numbers[from + at / 2] ?? 0
      into[to + at] = scale * ((both & 15) - 8)
      into[to + at + 1] = scale * ((both >> 4) - 8)
    }
  }
  return {
    rowsOf: text => {
      const { rows, unknownShare } = pieces.cut(text)
      if (rows.length === 0 || unknownShare > MAX_UNKNOWN_SHARE) return null
      const all = [start, ...rows.slice(0, READ_PIECES), end]
      const into = new Float32Array(all.length * dimensions)
      for (const [place, row] of all.entries()) writeRow(into, place, row)
      return { rows: into, count: all.length }
    },
  }
}
