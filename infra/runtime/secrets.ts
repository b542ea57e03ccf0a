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

/** The one secret of an installation, from which every other key is derived. */
export type InstallationKey = Uint8Array

export const INSTALLATION_KEY_BYTES = 32

const CIPHER = 'aes-256-gcm'
/** First byte of what is sealed, so that another cipher can follow. */
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + NONCE_BYTES

/** A key of its own for each purpose (HKDF-SHA-256, RFC 5869): what leaks of one says nothing of another. */
const derive = (key: InstallationKey, purpose: string): Buffer => {
  if (key.length !== INSTALLATION_KEY_BYTES)
    throw new AssayError('invalid_configuration', `The installation key must have ${INSTALLATION_KEY_BYTES} bytes.`)
  return Buffer.from(hkdfSync('sha256', key, '', `assay ${purpose}`, 32))
}

export interface Sealer {
  /** Encrypts a secret that must be known again, such as one that signs. Never the same bytes twice. */
  seal(plaintext: string): Uint8Array
  /** Throws `internal` when the bytes were changed or sealed under another installation's key. */
  unseal(sealed: Uint8Array): string
  /** As `seal`, of anything. */
  sealBytes(plain: Uint8Array): Uint8Array
  unsealBytes(sealed: Uint8Array): Uint8Array
}

export const createSealer = (key: InstallationKey): Sealer => {
  const sealing = derive(key, 'sealing')
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

/** A stable pseudonym (hexadecimal) of a value: equal values have equal ones, and without the key nobody finds the value by guessing. */
export type Pseudonymizer = (value: string) => string

/** `purpose` keeps the pseudonyms of different uses apart, even for the same value. */
export const createPseudonymizer = (key: InstallationKey, purpose: string): Pseudonymizer => {
  const derived = derive(key, `pseudonyms ${purpose}`)
  return value => createHmac('sha256', derived).update(value).digest('hex')
}

/** A secret for another library's use, such as signing sessions: the same for the same purpose, as text. */
export const derivedSecret = (key: InstallationKey, purpose: string): string =>
  derive(key, `secret ${purpose}`).toString('base64url')

/** What tells a key from another and says nothing of either: may be kept beside what the key seals. */
export const keyCheckValue = (key: InstallationKey): Buffer => derive(key, 'check value')

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export const sameSecret = (left: string | Uint8Array, right: string | Uint8Array): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

/** `bytes` random bytes as text that is safe in URLs and headers. */
export const randomSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** `bytes` random bytes in hexadecimal. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
