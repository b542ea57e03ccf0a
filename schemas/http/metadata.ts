import { Type } from 'typebox'
import { MAX_DEPTH, shallow } from './depth.ts'

/** What a signal's metadata may have, so that reading all of it stays cheap whoever sent it. Each is of the whole, at any depth. */
const MAX_KEYS = 500
const MAX_VALUES = 1_000
const MAX_KEY_LENGTH = 200
/** In keys and strings together, in UTF-16 units as are those of a key. */
const MAX_CHARACTERS = 32_768

const LIMITS = [
  `at most ${MAX_KEYS} keys of at most ${MAX_KEY_LENGTH} characters`,
  `${MAX_VALUES} values`,
  `${MAX_CHARACTERS} characters in its keys and strings`,
]

/** Which limit a value breaks, in a sender's words; null when it keeps them all. Looks no further than the first fault. */
const brokenLimit = (metadata: unknown): string | null => {
  let keys = 0
  let values = 0
  let characters = 0
  const open: unknown[] = [metadata]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') characters += value.length
    else if (typeof value === 'object' && value !== null) {
      const isArray = Array.isArray(value)
      for (const [key, inner] of Object.entries(value)) {
        values += 1
        open.push(inner)
        if (isArray) continue
        keys += 1
        characters += key.length
        if (key.length > MAX_KEY_LENGTH) return `must have keys of at most ${MAX_KEY_LENGTH} characters`
      }
    }
    if (keys > MAX_KEYS) return `must have at most ${MAX_KEYS} keys in all`
    if (values > MAX_VALUES) return `must have at most ${MAX_VALUES} values in all`
    if (characters > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters in its keys and strings`
  }
  return null
}

/** A sender's own facts about a signal: any JSON object within the limits. */
export const Metadata = Type.Refine(
  shallow(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `Anything else worth keeping. In all, at any depth: ${LIMITS.join(', ')}; ${MAX_DEPTH} levels.`,
    }),
  ),
  value => brokenLimit(value) === null,
  value => brokenLimit(value) ?? '',
)
