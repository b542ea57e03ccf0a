import { type Excerpt, excerpt } from './excerpt.ts'
import { estimateTokens } from './token-budget.ts'

/** No character is estimated at less. */
const LEAST_TOKENS = 0.3

/** The longest beginning of the text that takes at most so many tokens; `rest` names the call that gives all of it. */
export const excerptWithin = (text: string, tokens: number, rest: string): Excerpt => {
  if (text.length * LEAST_TOKENS <= tokens && estimateTokens(text) <= tokens) return { text, text_cut: null }
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
