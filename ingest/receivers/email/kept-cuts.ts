import { CUT_KINDS } from '../../../schemas/domain/vocabulary.ts'
import type { MailCut, ProjectedMail } from '../../../schemas/http/email.ts'

/** With the text, its metadata and all that JSON escapes, a mail stays below what a record of the log may have. */
export const MAX_CUT_CHARACTERS = 100_000

/**
 * What is kept of the parts of a mail that are not its text: each kind once, its pieces in their order. Too long a mail
 * is not refused: its last parts end where there is no room for more, and it says how much is missing.
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
