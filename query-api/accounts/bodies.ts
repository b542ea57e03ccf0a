import { Type } from 'typebox'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import { token } from '../operations/members/member.ts'
import { uuid } from '../operations/parts/fields.ts'

/** A request's body before validation. */
export type Body = Readonly<Record<string, unknown>>

/** Bodies of the account routes. The library decides whether an address and a password are usable. */

/** Longest possible address (RFC 5321, 4.5.3.1.3). */
const email = Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.email })
/** The library accepts 8 to 128 characters and says so. */
const password = Type.String({ maxLength: 1000 })
const name = Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' })

/** Output of a browser and an authenticator, in base64url. */
const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
/** At most 1,023 bytes (WebAuthn, 4). */
const credentialId = base64url(1364)

export const NOTHING = Type.Object({})
export const SIGN_UP = Type.Object({ name, email, password, invitation: Type.Optional(token) })
export const INVITATION = Type.Object({ token })
export const SIGN_IN = Type.Object({ email, password })
export const NAME = Type.Object({ name })
export const EMAIL = Type.Object({ newEmail: email, password })
export const PASSWORD = Type.Object({ currentPassword: password, newPassword: password })
export const SESSION = Type.Object({ id: uuid })
export const VERIFICATION = Type.Object({ token: Type.String({ minLength: 1, maxLength: 2000 }) })
export const RESET_REQUEST = Type.Object({ email })
export const RESET = Type.Object({ token: Type.String({ maxLength: 200 }), newPassword: password })
/** A person without a password gives none. */
export const DELETION = Type.Object({ password: Type.Optional(password) })
/** `back`: address in the app to go to afterwards; any other address leads to the app's first page. */
export const SIGN_ON = Type.Object({
  back: Type.Optional(Type.String({ maxLength: 2000 })),
  invitation: Type.Optional(token),
})
/** Six digits, or a backup code. */
export const SECOND_FACTOR = Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) })
export const OWN_PASSWORD = Type.Object({ password })
export const PASSKEY = Type.Object({ id: uuid })
export const PASSKEY_NAME = Type.Object({ id: uuid, name })
export const NEW_PASSKEY = Type.Object({
  name,
  id: credentialId,
  clientDataJSON: base64url(4000),
  authenticatorData: base64url(8000),
  transports: Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 }),
})
export const PASSKEY_PROOF = Type.Object({
  id: credentialId,
  clientDataJSON: base64url(4000),
  authenticatorData: base64url(4000),
  signature: base64url(4000),
})
