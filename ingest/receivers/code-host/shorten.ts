import { MAX_TEXT_CODE_POINTS } from '../../../schemas/domain/vocabulary.ts'

/** Room for the texts of one event, in code points; the rest is for the heading that normalize puts above them. */
const EVENT_CODE_POINTS = MAX_TEXT_CODE_POINTS - 2_000
const LABEL_CODE_POINTS = 500

/** Cuts the texts of one event so that they fit together, and knows whether it had to. */
export interface Shortener {
  /** The text, or as much of it as there is room for. */
  text(text: string | null | undefined): string
  /** A name, ref or address: none is ever longer than a label, nor takes room from the texts. */
  label(text: string): string
  room(): number
  shortened(): boolean
}

export const createShortener = (): Shortener => {
  let room = EVENT_CODE_POINTS
  let shortened = false

  const cut = (text: string, limit: number): { text: string; codePoints: number } => {
    let codePoints = 0
    let units = 0
    for (const character of text) {
      if (codePoints === limit) {
        shortened = true
        break
      }
      codePoints++
      units += character.length
    }
    return { text: text.slice(0, units), codePoints }
  }

  return {
    text: text => {
      const kept = cut(text ?? '', room)
      room -= kept.codePoints
      return kept.text
    },
    label: text => cut(text, LABEL_CODE_POINTS).text,
    room: () => room,
    shortened: () => shortened,
  }
}
