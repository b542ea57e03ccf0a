import { Type } from 'typebox'

/** What a signal's metadata may have, so that reading all of it stays cheap whoever sent it. Each is of the whole, at any depth. */
const MAX_KEYS = 500
const MAX_VALUES = 1_000
const MAX_KEY_LENGTH = 200
/** In keys and strings together, in UTF-16 units as are those of a key. */
const MAX_CHARACTERS = 32_768
const MAX_DEPTH = 32

const LIMITS = [
  `at most ${MAX_KEYS} keys of at most ${MAX_KEY_LENGTH} characters`,
  `${MAX_VALUES} values`,
  `${MAX_CHARACTERS} characters in its keys and strings`,
  `${MAX_DEPTH} levels`,
]

/** Which limit a value breaks, in a sender's words; null when it keeps them all. Looks no further than the first fault. */
const brokenLimit = (metadata: unknown): string | null => {
  let keys = 0
  let values = 0
  let characters = 0
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: metadata, level: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next
    if (typeof value === 'string') characters += value.length
    if (typeof value === 'number' && !Number.isFinite(value)) return 'must not hold a number beyond about 1.8e308'
    if (typeof value === 'object' && value !== null) {
      if (level === MAX_DEPTH) return `must not nest deeper than ${MAX_DEPTH} levels`
      const names = Array.isArray(value) ? [] : Object.keys(value)
      keys += names.length
      values += Array.isArray(value) ? value.length : names.length
      if (keys > MAX_KEYS) return `must have at most ${MAX_KEYS} keys in all`
      if (values > MAX_VALUES) return `must have at most ${MAX_VALUES} values in all`
      if (names.some(name => name.length > MAX_KEY_LENGTH))
        return `must have keys of at most ${MAX_KEY_LENGTH} characters`
      for (const name of names) characters += name.length
      for (const one of Object.values(value)) open.push({ value: one, level: level + 1 })
    }
    if (characters > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters in its keys and strings`
  }
  return null
}

/** A sender's own facts about a signal: any JSON object within the limits, without a number that JSON could not write again. */
export const Metadata = Type.Refine(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: `Anything else worth keeping. In all, at any depth: ${LIMITS.join(', ')}.`,
  }),
  value => brokenLimit(value) === null,
  value => brokenLimit(value) ?? '',
)
