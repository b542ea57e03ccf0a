/** What an answer's data may take, with room for its envelope: 10,000 tokens at most, 800 with depth summary. */
export const ANSWER_TOKENS = 8500
export const SUMMARY_TOKENS = 650

/**
 * About how many tokens a value takes as JSON, rather too many than too few: what tokenizers of language models make of words, of
 * digits and signs, and of what is outside of ASCII. Ids are their worst case, at two tokens for three characters.
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

/** As many of the items, from the first on, as the budget holds; one at least, so that a list goes on. */
export const takeWithinBudget = <Item>(items: readonly Item[], budget: number): Item[] => {
  let left = budget
  const end = items.findIndex(item => {
    left -= estimateTokens(item)
    return left < 0
  })
  return items.slice(0, end === -1 ? items.length : Math.max(1, end))
}
