import { Type } from 'typebox'
import { nullable } from './fields.ts'
import { estimateTokens } from './token-budget.ts'

/** A text that may be cut, which then says so and how to get the rest. */
export const cut = nullable(
  Type.Object({
    shown_characters: Type.Integer({ description: 'Characters shown.' }),
    total_characters: Type.Integer({ description: 'Characters in all.' }),
    full_text_call: Type.String({ description: 'The call that answers the whole text.' }),
  }),
)

export interface Excerpt {
  readonly text: string
  readonly text_truncation: {
    readonly shown_characters: number
    readonly total_characters: number
    readonly full_text_call: string
  } | null
}

/** The text's first `maximum` characters (Unicode code points); `rest` names the call that gives all of it. */
export const excerpt = (text: string, maximum: number, rest: string): Excerpt => {
  // A code point takes at most two UTF-16 units, so a text this short needs no counting.
  if (text.length <= maximum) return { text, text_truncation: null }
  const characters = Array.from(text)
  if (characters.length <= maximum) return { text, text_truncation: null }
  return {
    text: characters.slice(0, maximum).join(''),
    text_truncation: { shown_characters: maximum, total_characters: characters.length, full_text_call: rest },
  }
}

/** The beginning of a name in a list, without saying that it is cut: the object has all of it. */
export const shortened = (text: string, maximum: number): string => Array.from(text).slice(0, maximum).join('')

/** No character is estimated at less. */
const LEAST_TOKENS = 0.3

/** The longest beginning of the text that takes at most so many tokens; `rest` names the call that gives all of it. */
export const excerptWithin = (text: string, tokens: number, rest: string): Excerpt => {
  if (text.length * LEAST_TOKENS <= tokens && estimateTokens(text) <= tokens) return { text, text_truncation: null }
  const most = Math.floor(tokens / LEAST_TOKENS)
  const characters = Array.from(text.slice(0, 2 * most)).slice(0, most)
  let [fits, over] = [0, characters.length + 1]
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (estimateTokens(characters.slice(0, middle).join('')) <= tokens) fits = middle
    else over = middle
  }
  return excerpt(text, fits, rest)
}
