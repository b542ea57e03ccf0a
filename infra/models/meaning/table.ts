import { readFileSync } from 'node:fs'
import { fromVectorBytes } from '../../vectors.ts'
import { readLayers } from './layers.ts'
import model from './model.json' with { type: 'json' }
import { createPieces, type Pieces } from './pieces.ts'

const { dimensions } = model

/** So many numbers a meaning has. */
export const MEANING_NUMBERS = model.output

/** What the pieces of texts mean, learned from a larger model: `model.json` says from which. */
interface Table {
  /** The meaning of a text, of some length; null for one of a script that the table does not know. */
  meaningOf(text: string): Float64Array | null
}

/** As much of a text is what it means: the table was learned so. */
const READ_PIECES = 512

/**
 * A text with a larger share of characters that no piece has is compared by its spelling: the pieces that are left,
 * such as its full stops, do not tell what it means.
 */
const MOST_UNKNOWN = 0.25

let table: Table | null = null

/** The table, which is read from its files when it is first asked for. */
export const readTable = (): Table => {
  table ??= openTable()
  return table
}

const urlOf = (name: string): URL => new URL(name, import.meta.url)

/** The pieces of the table, a line each: the text, and its score behind a tab. */
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
  const layers = readLayers(urlOf('layers.bin'), model.layers)
  const numbers = readFileSync(urlOf('rows.bin'))
  const scales = fromVectorBytes(readFileSync(urlOf('scales.bin')))

  /** A row is numbers of four bits, two in a byte, each around 8, times the row's scale. */
  const addRow = (into: Float64Array, row: number): void => {
    const scale = scales[row] ?? 0
    const from = (row * dimensions) / 2
    for (let at = 0; at < dimensions; at += 2) {
      const both = numbers[from + at / 2] ?? 0
      into[at] = (into[at] ?? 0) + scale * ((both & 15) - 8)
      into[at + 1] = (into[at + 1] ?? 0) + scale * ((both >> 4) - 8)
    }
  }
  return {
    meaningOf: text => {
      const sum = new Float64Array(dimensions)
      const { rows, unknownShare } = pieces.cut(text)
      if (rows.length === 0 || unknownShare > MOST_UNKNOWN) return null
      for (const row of rows.slice(0, READ_PIECES)) addRow(sum, row)
      return layers(sum)
    },
  }
}
