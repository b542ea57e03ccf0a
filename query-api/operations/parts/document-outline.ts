import { type Static, Type } from 'typebox'
import { sectionsOf } from '../../../model/living-documents/sections.ts'
import { estimateTokens } from './token-budget.ts'

/** The headings that lead to a section of a Living Document. */
export const section = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 6,
    description: 'Headings that lead to it, outermost first.',
  }),
)

/** The sections of a document, as far as there is room for them. */
export const Outline = Type.Object({
  count: Type.Integer(),
  items: Type.Array(Type.Array(Type.String()), { description: 'The path of headings of each; the first that fit.' }),
})
type Outline = Static<typeof Outline>

const TOKENS = 600

export const outlineOf = (markdown: string, tokens = TOKENS): Outline => {
  const sections = sectionsOf(markdown.split('\n'))
  let left = tokens
  const end = sections.findIndex(({ path }) => {
    left -= estimateTokens(path)
    return left < 0
  })
  const shown = sections.slice(0, end === -1 ? sections.length : end)
  return { count: sections.length, items: shown.map(({ path }) => [...path]) }
}
