import { CUT_KINDS } from '../../../schemas/domain/vocabulary.ts'
import type { MailCut, ProjectedMail } from '../../../schemas/http/email.ts'

/** Characters of cut parts. With text, metadata and JSON's escapes, a mail stays below the size of a log record. */
export const MAX_CUT_CHARACTERS = 100_000

/**
 * The parts of a mail beside its text, one entry for each kind, pieces in order. A mail that is too long is not
 * refused: its last parts are cut, and `cut_omitted` counts the missing characters.
 */
export const keptCuts = (cuts: readonly MailCut[]): Required<Pick<ProjectedMail, 'cuts' | 'cut_omitted'>> => {
  let left = MAX_CUT_CHARACTERS
  let omitted = 0
  const kept = CUT_KINDS.flatMap(kind => {
    const pieces = cuts.flatMap(cut => (cut.kind === kind ? [cut.text] : []))
    const characters = Array.from(pieces.join('\n\n').trim())
    const text = characters.slice(0, left).join('')
    omitted += Math.max(0, characters.length - left)
    left = Math.max(0, left - characters.length)
    return text === '' ? [] : [{ kind, text }]
  })
  return { cuts: kept, cut_omitted: omitted }
}
