import { Type } from 'typebox'
import { nullable } from './fields.ts'

/** Lengths of a cut text, and the call for the rest. */
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

/** The text's first `maximum` characters (Unicode code points); `rest` names the call that answers all of it. */
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

/** The beginning of a name in a list, without a mark for the cut: the object has the whole name. */
export const shortened = (text: string, maximum: number): string => Array.from(text).slice(0, maximum).join('')

/** Lowest estimate for a character. */
const LEAST_TOKENS = 0.3

/** The longest beginning of the text within the tokens; `rest` names the call that answers all of it. */
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

/** Tokens of an answer's data. With its envelope an answer has at most 10,000 tokens, 800 with depth summary. */
export const ANSWER_TOKENS = 8500
export const SUMMARY_TOKENS = 650

/**
 * Estimated tokens of a value as JSON, on the high side, by what language models' tokenizers make of words, digits,
 * signs and characters outside of ASCII. Ids are the worst case, at two tokens for three characters.
 */
export const estimateTokens = (value: unknown): number => {
  let tokens = 0
  for (const character of JSON.stringify(value)) {
    const code = character.charCodeAt(0)
    if (code > 127) tokens += 1.5
    else if (code === 32 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90)) tokens += 0.3
    else tokens += 0.7
  }
  return Math.ceil(tokens)
}

/** The first items within the budget; at least one, so that a list makes progress. */
export const takeWithinBudget = <Item>(items: readonly Item[], budget: number): Item[] => {
  let left = budget
  const end = items.findIndex(item => {
    left -= estimateTokens(item)
    return left < 0
  })
  return items.slice(0, end === -1 ? items.length : Math.max(1, end))
}
