import { FILLER } from '../../word-index/filler.ts'

/** A shorter line is hardly more than a name, and a longer one is a first paragraph. */
const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 200
/** A line above an empty line. A full stop or comma at its end belongs to a sentence or a greeting. */
const HEADING = /^\s*(\S[^\r\n]*[^\s.,。，、])[ \t]*\r?\n[ \t]*\r?\n\s*\S/u

/** The heading of a text, such as an issue's title or a mail's subject; null without one. */
export const headingOf = (text: string): string | null => {
  const heading = HEADING.exec(text.slice(0, 2 * MAX_CHARACTERS))?.[1]
  if (heading === undefined || heading.length < MIN_CHARACTERS || heading.length > MAX_CHARACTERS) return null
  return FILLER.test(heading) ? null : heading
}
