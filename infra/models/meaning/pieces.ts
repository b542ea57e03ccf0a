import { normalForm, WORD_START } from './normal-form.ts'

/** A piece of text, with the logarithm of its probability. Its index is its row in the table. */
export interface Piece {
  readonly text: string
  readonly score: number
}

/** Stands for a row: a character that no piece has. */
const UNKNOWN = -1
/** The score of such a character below the least likely piece. */
const UNKNOWN_BELOW = 10

/** A text cut into its most likely pieces. */
interface Cut {
  /** The pieces' rows, in order; unknown characters are left out. */
  readonly rows: readonly number[]
  /** Share of unknown characters among all but spaces. */
  readonly unknownShare: number
}

export interface Pieces {
  cut(text: string): Cut
}

/**
 * SentencePiece's unigram model: the most likely cut of a text into pieces. Each position looks ahead up to the longest
 * piece that begins there, so that the time is linear in the length.
 */
export const createPieces = (pieces: readonly Piece[]): Pieces => {
  const beginnings = createBeginnings(pieces)
  let least = 0
  for (const { score } of pieces) least = Math.min(least, score)
  const unknownScore = least - UNKNOWN_BELOW
  const scores = Float64Array.from(pieces, ({ score }) => score)

  return {
    cut: text => {
      const normal = normalForm(text)
      const best = new Float64Array(normal.length + 1).fill(Number.NEGATIVE_INFINITY)
      const starts = new Int32Array(normal.length + 1)
      const rows = new Int32Array(normal.length + 1)
      best[0] = 0
      const offer = (from: number, to: number, row: number, score: number): void => {
        if (score <= (best[to] ?? 0)) return
        best[to] = score
        starts[to] = from
        rows[to] = row
      }
      for (let from = 0; from < normal.length; from += 1) {
        const before = best[from] ?? 0
        // No cut ends here, inside of a surrogate pair.
        if (before === Number.NEGATIVE_INFINITY) continue
        const width = (normal.codePointAt(from) ?? 0) > 0xffff ? 2 : 1
        let isKnown = false
        let beginning = 0
        for (let to = from; to < normal.length; to += 1) {
          beginning = beginnings.next(beginning, normal.charCodeAt(to))
          if (beginning < 0) break
          const row = beginnings.rowOf(beginning)
          if (row < 0) continue
          if (to + 1 - from === width) isKnown = true
          offer(from, to + 1, row, before + (scores[row] ?? 0))
        }
        if (!isKnown) offer(from, from + width, UNKNOWN, before + unknownScore)
      }
      return readBack(normal, starts, rows)
    },
  }
}

const readBack = (normal: string, starts: Int32Array, rows: Int32Array): Cut => {
  const cut: number[] = []
  let unknown = 0
  for (let to = normal.length; to > 0; to = starts[to] ?? 0) {
    const row = rows[to] ?? UNKNOWN
    if (row === UNKNOWN) unknown += 1
    else cut.push(row)
  }
  const letters = normal.replaceAll(WORD_START, '').length
  return { rows: cut.reverse(), unknownShare: unknown / Math.max(1, letters) }
}

/** The prefixes of pieces as numbers (a trie in a hash table); 0 is the empty prefix. */
const createBeginnings = (pieces: readonly Piece[]) => {
  const most = pieces.reduce((sum, { text }) => sum + text.length, 1)
  // Pieces share most of their prefixes: about half of the slots stay empty.
  const places = 2 ** Math.ceil(Math.log2(most + 1))
  const before = new Int32Array(places)
  const units = new Uint16Array(places)
  const after = new Int32Array(places)
  const rows = new Int32Array(most).fill(-1)
  let count = 1

  const placeOf = (beginning: number, unit: number): number => {
    let place = Math.imul(Math.imul(beginning, 0x9e3779b1) ^ unit, 0x85ebca6b) >>> 0
    place = (place ^ (place >>> 15)) & (places - 1)
    while (after[place] !== 0 && (before[place] !== beginning || units[place] !== unit))
      place = (place + 1) & (places - 1)
    return place
  }
  for (const [row, { text }] of pieces.entries()) {
    let beginning = 0
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      const place = placeOf(beginning, unit)
      if (after[place] === 0) {
        before[place] = beginning
        units[place] = unit
        after[place] = count
        count += 1
      }
      beginning = after[place] ?? 0
    }
    if (beginning > 0) rows[beginning] = row
  }
  return {
    /** The prefix extended by a character; negative when no piece begins so. */
    next: (beginning: number, unit: number): number => {
      const longer = after[placeOf(beginning, unit)] ?? 0
      return longer === 0 ? -1 : longer
    },
    /** The piece that equals the prefix; negative when there is none. */
    rowOf: (beginning: number): number => rows[beginning] ?? -1,
  }
}
