import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { AssayError } from './errors.ts'

/**
 * The one secret of an installation, from which all other keys are derived. Only this file knows its layout: 32 bytes
 * of key; then, in a key that replaced another, 32 bytes for pseudonyms, which never change; then, while both keys are
 * in use, the 32 bytes of the previous key.
 */
export type InstallationKey = Uint8Array

export const INSTALLATION_KEY_BYTES = 32
const WITH_PSEUDONYMS = 2 * INSTALLATION_KEY_BYTES
const WITH_BEFORE = 3 * INSTALLATION_KEY_BYTES
/** Lengths that the setting may have: a first key, or a key that replaced another. */
export const INSTALLATION_KEY_LENGTHS: readonly number[] = [INSTALLATION_KEY_BYTES, WITH_PSEUDONYMS]
/**
 * The pseudonyms that outlive a change of the key. They tell senders apart, and cannot be computed again since the
 * senders' addresses are not stored.
 */
const PSEUDONYMS_THAT_STAY = 'actors'

const CIPHER = 'aes-256-gcm'
/** First byte of sealed data, for a later cipher. */
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES

/** Derives a key for one purpose (HKDF-SHA-256, RFC 5869): a leaked derived key reveals no other. */
const derive = (key: InstallationKey, purpose: string): Buffer => {
  if (![INSTALLATION_KEY_BYTES, WITH_PSEUDONYMS, WITH_BEFORE].includes(key.length))
    throw new AssayError('invalid_configuration', `The installation key must have ${INSTALLATION_KEY_BYTES} bytes.`)
  return Buffer.from(hkdfSync('sha256', key.subarray(0, INSTALLATION_KEY_BYTES), '', `assay ${purpose}`, 32))
}

const pseudonymsOf = (key: InstallationKey): Uint8Array =>
  key.length === INSTALLATION_KEY_BYTES
    ? derive(key, `pseudonyms ${PSEUDONYMS_THAT_STAY}`)
    : key.subarray(INSTALLATION_KEY_BYTES, WITH_PSEUDONYMS)

/** A new key to replace `key`. Pseudonyms stay the same. */
export const keyAfter = (key: InstallationKey): InstallationKey =>
  Buffer.concat([randomBytes(INSTALLATION_KEY_BYTES), pseudonymsOf(key)])

/**
 * Combines both keys: data is sealed with `key`, and read with either. Throws `invalid_configuration` unless `key` was
 * made to follow `before`.
 */
export const withKeyBefore = (key: InstallationKey, before: InstallationKey | null): InstallationKey => {
  if (before === null) return key
  if (key.length === WITH_PSEUDONYMS && sameSecret(pseudonymsOf(key), pseudonymsOf(before)))
    return Buffer.concat([key, before.subarray(0, INSTALLATION_KEY_BYTES)])
  const message =
    'INSTALLATION_KEY was not made to follow PREVIOUS_INSTALLATION_KEY: with it nobody would be known as who they were. `assay key new` makes one that follows the key in force.'
  throw new AssayError('invalid_configuration', message)
}

/** The key in force, without the previous one. */
export const keyInForce = (key: InstallationKey): InstallationKey => key.subarray(0, WITH_PSEUDONYMS)

/** The previous key while both are used, else null. */
export const keyBefore = (key: InstallationKey): InstallationKey | null =>
  key.length === WITH_BEFORE ? key.subarray(WITH_PSEUDONYMS) : null

export interface Sealer {
  /** Encrypts a secret that is needed again in clear, such as a signing secret. Two calls never give the same bytes. */
  seal(plaintext: string): Uint8Array
  /** Throws `internal` when the bytes were changed or sealed under another installation's key. */
  unseal(sealed: Uint8Array): string
  /** As `seal`, for bytes. */
  sealBytes(plain: Uint8Array): Uint8Array
  unsealBytes(sealed: Uint8Array): Uint8Array
}

/** Seals with AES-256-GCM and a random nonce of 96 bits. Throws `invalid_configuration` for a key of a wrong length. */
export const createSealer = (key: InstallationKey): Sealer => {
  const sealing = derive(key, 'sealing')
  const before = keyBefore(key)
  const sealerBefore = before === null ? null : createSealer(before)
  const sealBytes = (plain: Uint8Array): Uint8Array => {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, sealing, nonce)
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), encrypted])
  }
  const unsealBytes = (sealed: Uint8Array): Buffer => {
    try {
      if (sealed[0] !== VERSION) throw new Error('sealed by a version that is not known here')
      const decipher = createDecipheriv(CIPHER, sealing, sealed.subarray(1, HEADER_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(sealed.subarray(HEADER_BYTES, HEADER_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES + TAG_BYTES)), decipher.final()])
    } catch (error) {
      if (sealerBefore !== null) return Buffer.from(sealerBefore.unsealBytes(sealed))
      throw new AssayError('internal', 'A sealed secret cannot be read with this installation’s key.', {
        cause: error,
      })
    }
  }
  return {
    sealBytes,
    unsealBytes,
    seal: plaintext => sealBytes(Buffer.from(plaintext)),
    unseal: sealed => unsealBytes(sealed).toString('utf8'),
  }
}

/**
 * A stable pseudonym (hexadecimal) of a value: equal values have equal pseudonyms. Without the key nobody finds the
 * value by guessing.
 */
export type Pseudonymizer = (value: string) => string

/** Pseudonyms of different purposes differ, even for the same value. */
export const createPseudonymizer = (key: InstallationKey, purpose: string): Pseudonymizer => {
  const derived = purpose === PSEUDONYMS_THAT_STAY ? pseudonymsOf(key) : derive(key, `pseudonyms ${purpose}`)
  return value => createHmac('sha256', derived).update(value).digest('hex')
}

/** A secret for a library that writes the version beside what it encrypts, to find the right secret later. */
export interface VersionedSecret {
  readonly version: number
  readonly value: string
}

/**
 * Secrets for one purpose, such as signing sessions: first from the key in force, then from the previous key where
 * there is one.
 */
export const derivedSecrets = (
  key: InstallationKey,
  purpose: string,
): readonly [VersionedSecret, ...VersionedSecret[]] => {
  const secretOf = (one: InstallationKey): VersionedSecret => ({
    version: keyCheckValue(one).readUInt32BE(0),
    value: derive(one, `secret ${purpose}`).toString('base64url'),
  })
  const before = keyBefore(key)
  return before === null ? [secretOf(key)] : [secretOf(key), secretOf(before)]
}

/** Identifies a key without revealing it; may be stored beside sealed data. */
export const keyCheckValue = (key: InstallationKey): Buffer => derive(key, 'check value')

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** Compares in constant time. */
export const sameSecret = (left: string | Uint8Array, right: string | Uint8Array): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

/** `bytes` random bytes as text that is safe in URLs and headers. */
export const randomSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** `bytes` random bytes in hexadecimal. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
