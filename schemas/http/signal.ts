import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { showsSomething } from '../domain/visible-text.ts'
import { ACTOR_ROLES, MAX_TEXT_CODE_POINTS, SIGNAL_ORIGINS } from '../domain/vocabulary.ts'
import { Metadata } from './metadata.ts'

/** Longer than any link that browsers and servers agree to follow. */
const MAX_URL_LENGTH = 8_192

const NOTHING_TO_SEE = 'must have a character that can be seen: it has only white space, control or invisible ones'

/**
 * The body of the signal webhook. Fields that it does not name are accepted and dropped: senders are other people's programs
 * that post the objects they have, and an added field of theirs must not stop their signals. What should be kept goes into `metadata`.
 * The lengths of JSON Schema count Unicode code points, so an emoji counts as one.
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

/** The body without the fields that the contract does not name: what a record of format `signal` holds. */
export const knownFields = (body: SignalBody): SignalBody => {
  const known: Partial<Record<keyof SignalBody, unknown>> = {}
  for (const name of FIELDS) if (body[name] !== undefined) known[name] = body[name]
  // Every field is the body's own under its own name, so the body's type holds.
  return known as SignalBody
}

// The schema's own keys, in its order; `Object.keys` forgets their type.
const FIELDS = Object.keys(SignalBody.properties) as (keyof SignalBody)[]
