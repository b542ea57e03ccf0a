import { shortened } from './excerpt.ts'
import { estimateTokens } from './token-budget.ts'

const VALUE_CHARACTERS = 200

/** As many of the sender's own fields as the tokens hold; a long value is cut, and what nests is written as its JSON when it is. */
export const metadataWithin = (
  metadata: Readonly<Record<string, unknown>>,
  tokens: number,
): Record<string, unknown> => {
  if (estimateTokens(metadata) <= tokens) return metadata
  const kept: Record<string, unknown> = {}
  let left = tokens
  for (const [key, value] of Object.entries(metadata)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const short = text.length > VALUE_CHARACTERS ? `${shortened(text, VALUE_CHARACTERS)}…` : value
    const name = shortened(key, VALUE_CHARACTERS)
    left -= estimateTokens({ [name]: short })
    if (left < 0) break
    kept[name] = short
  }
  return kept
}
