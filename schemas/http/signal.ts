import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { showsSomething } from '../domain/visible-text.ts'
import { ACTOR_ROLES, MAX_TEXT_CODE_POINTS, SIGNAL_ORIGINS } from '../domain/vocabulary.ts'

/** Limits of a signal's metadata, which keep reading it cheap. Each counts for the whole object, at any depth. */
const MAX_KEYS = 500
const MAX_VALUES = 1_000
const MAX_KEY_LENGTH = 200
/** In all keys and strings together, in UTF-16 units. */
const MAX_CHARACTERS = 32_768
const MAX_DEPTH = 32

const LIMITS = [
  `at most ${MAX_KEYS} keys of at most ${MAX_KEY_LENGTH} characters`,
  `${MAX_VALUES} values`,
  `${MAX_CHARACTERS} characters in its keys and strings`,
  `${MAX_DEPTH} levels`,
]

/** The first broken limit as a message for the sender; null when all are kept. */
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

/** A sender's own facts about a signal: any JSON object within the limits, with finite numbers only. */
const Metadata = Type.Refine(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: `Anything else worth keeping. In all, at any depth: ${LIMITS.join(', ')}.`,
  }),
  value => brokenLimit(value) === null,
  value => brokenLimit(value) ?? '',
)

/** Longer than any link that browsers and servers follow. */
const MAX_URL_LENGTH = 8_192

const NOTHING_TO_SEE = 'must have a character that can be seen: it has only white space, control or invisible ones'

/**
 * The body of the signal webhook. Unknown fields are accepted and dropped: senders post the objects that they have, and
 * a new field must not stop their signals. Other facts belong into `metadata`. JSON Schema counts lengths in Unicode
 * code points, so that an emoji counts as one.
 */
export const SignalBody = Type.Object({
  text: Type.Refine(
    Type.String({ minLength: 1, maxLength: MAX_TEXT_CODE_POINTS, pattern: '\\S' }),
    showsSomething,
    () => NOTHING_TO_SEE,
  ),
  source: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String({ maxLength: MAX_URL_LENGTH })),
  /** ISO 8601, epoch seconds or epoch milliseconds; see `time.ts`. */
  occurred_at: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'] })),
  actor_name: Type.Optional(Type.String()),
  actor_email: Type.Optional(Type.String()),
  signal_origin: Type.Optional(Type.Enum(SIGNAL_ORIGINS)),
  actor_role: Type.Optional(Type.Enum(ACTOR_ROLES)),
  metadata: Type.Optional(Metadata),
  event: Type.Optional(Type.String()),
})
export type SignalBody = Static<typeof SignalBody>

export const signalBody = Compile(SignalBody)

/** The fields of the contract: the content of a record of format `signal`. */
export const knownFields = (body: SignalBody): SignalBody => {
  const known: Partial<Record<keyof SignalBody, unknown>> = {}
  for (const name of FIELDS) if (body[name] !== undefined) known[name] = body[name]
  // Every field is copied under its own name, so the body's type holds.
  return known as SignalBody
}

/**
 * The known fields as JSON, exactly as `JSON.stringify` writes them. `text` is the JSON that the body was parsed from:
 * without a backslash in it no string needs escaping, and checking each string would take longer than parsing.
 */
export const writeKnownFields = (body: SignalBody, text: string): string => {
  const isPlain = !text.includes('\\')
  let written = ''
  for (const name of FIELDS) {
    const value = body[name]
    if (value === undefined) continue
    written += `${written === '' ? '{' : ','}"${name}":`
    written += isPlain && typeof value === 'string' ? `"${value}"` : JSON.stringify(value)
  }
  return `${written}}`
}

// The schema's own keys, in its order; `Object.keys` forgets their type.
const FIELDS = Object.keys(SignalBody.properties) as (keyof SignalBody)[]
