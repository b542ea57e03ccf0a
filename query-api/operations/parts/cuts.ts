import type { KeptCuts } from '../../../model/signals/cuts.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { CUT_KINDS } from '../../../schemas/domain/vocabulary.ts'
import { type Static, Type } from '../define.ts'
import type { Excerpt } from './excerpt.ts'
import { nullable, oneOf } from './fields.ts'
import { type TextPageOptions, textPageFrom } from './lists.ts'

export const CutsField = nullable(
  Type.Object(
    {
      characters: Type.Integer({ description: 'Of all parts.' }),
      omitted_characters: Type.Integer({ description: 'How many more were too many to keep.' }),
      parts: Type.Optional(
        Type.Array(Type.Object({ kind: oneOf(CUT_KINDS), text: untrustedText() }), {
          description: 'Only with depth full, behind the text: the cursor goes on with them.',
        }),
      ),
    },
    {
      description:
        'What is not in the text of a mail: it was taken for a signature, for what others wrote before, or for a footer.',
    },
  ),
)
type ShownCuts = Static<typeof CutsField>

const lengthOf = (text: string): number => Array.from(text).length

/** Amounts of the cuts; their texts too with `parts`. */
export const shownCuts = (cuts: KeptCuts | null, parts?: KeptCuts['parts']): ShownCuts =>
  cuts && {
    characters: cuts.parts.reduce((sum, { text }) => sum + lengthOf(text), 0),
    omitted_characters: cuts.omitted,
    ...(parts && { parts: [...parts] }),
  }

/**
 * A page of a text and then of its cuts; the cursor continues through both. A page ends at the end of the text or of a
 * cut.
 */
export const pageWithCuts = (
  said: { readonly text: string; readonly cuts: KeptCuts | null },
  name: string,
  options: TextPageOptions,
): { readonly text: Excerpt; readonly cuts: ShownCuts; readonly nextCursor: string | null } => {
  const kept = said.cuts?.parts ?? []
  const { page, offset } = textPageFrom([said.text, ...kept.map(({ text }) => text)].join(''), name, options)
  const end = offset + lengthOf(page.text)
  let begins = 0
  const onPage = (text: string) => {
    const characters = Array.from(text)
    const from = Math.max(0, offset - begins)
    const shown = characters.slice(from, Math.max(from, end - begins)).join('')
    begins += characters.length
    return { shown, left: Math.max(0, characters.length - from) }
  }
  const { shown, left } = onPage(said.text)
  const isCut = lengthOf(shown) < left
  const truncation = {
    shown_characters: lengthOf(shown),
    total_characters: left,
    full_text_call: options.rest,
  }
  const parts = kept.map(({ kind, text }) => ({ kind, text: onPage(text).shown })).filter(({ text }) => text !== '')
  return {
    text: { text: shown, text_truncation: isCut ? truncation : null },
    cuts: shownCuts(said.cuts, parts),
    nextCursor: page.nextCursor,
  }
}
