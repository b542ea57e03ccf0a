import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { AssayError } from '../runtime/errors.ts'

/** The first bytes of a sealed backup. */
export const SEALED_MAGIC = Buffer.from('ASSAYSEALED1')
const SALT_BYTES = 16
const FRAME_BYTES = 64 * 1024
const TAG_BYTES = 16
/** About half a second and 128 MiB for each guess of a passphrase (scrypt, RFC 7914). */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
type ScryptCost = typeof COST
const CIPHER = 'aes-256-gcm'

const keyOf = async (passphrase: string, salt: Uint8Array, cost: ScryptCost): Promise<Buffer> =>
  // promisify loses the overload with options.
  (await (promisify(scrypt) as (...given: unknown[]) => Promise<Buffer>)(passphrase, salt, 32, cost)) as Buffer

/**
 * A frame's nonce: its number, and a bit for the last frame, so that no frame can be left out, moved or cut off
 * unnoticed (the STREAM construction). Salt and key are used once.
 */
const nonceOf = (frame: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(frame), 0)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

/**
 * Splits a stream into pieces of `size` bytes and marks the last, which may be shorter, and empty for an empty stream.
 */
const cut = async function* (source: AsyncIterable<Uint8Array>, size: number) {
  let kept: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    kept.push(chunk)
    length += chunk.length
    if (length <= size) continue
    let rest = Buffer.concat(kept)
    for (; rest.length > size; rest = rest.subarray(size)) yield { piece: rest.subarray(0, size), isLast: false }
    kept = [rest]
    length = rest.length
  }
  yield { piece: Buffer.concat(kept), isLast: true }
}

/** Encrypts with AES-256-GCM under a key that scrypt derives from the passphrase. */
export const sealStream = (passphrase: string, cost: ScryptCost = COST) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const salt = randomBytes(SALT_BYTES)
    const key = await keyOf(passphrase, salt, cost)
    yield Buffer.concat([SEALED_MAGIC, salt])
    let frame = 0
    for await (const { piece, isLast } of cut(source, FRAME_BYTES)) {
      const cipher = createCipheriv(CIPHER, key, nonceOf(frame, isLast))
      const sealed = Buffer.concat([cipher.update(piece), cipher.final()])
      yield Buffer.concat([sealed, cipher.getAuthTag()])
      frame += 1
    }
  }

const unreadable = (frame: number): AssayError =>
  frame === 0
    ? new AssayError(
        'invalid_input',
        'The backup cannot be opened with this passphrase. Either it is another one, or the file is damaged at its beginning.',
      )
    : new AssayError('damaged', 'The backup is damaged or cut short. Nothing was restored: take another copy of it.')

/** Decrypts everything after `SEALED_MAGIC`. Throws `invalid_input` for a wrong passphrase, and `damaged` otherwise. */
export const unsealStream = (passphrase: string, cost: ScryptCost = COST) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let key: Buffer | null = null
    let frame = 0
    let head: Buffer = Buffer.alloc(0)
    const body = async function* () {
      for await (const chunk of source) {
        if (head.length >= SALT_BYTES) yield chunk
        else {
          head = Buffer.concat([head, chunk])
          if (head.length > SALT_BYTES) yield head.subarray(SALT_BYTES)
        }
      }
    }
    for await (const { piece, isLast } of cut(body(), FRAME_BYTES + TAG_BYTES)) {
      if (piece.length < TAG_BYTES) throw unreadable(frame)
      key ??= await keyOf(passphrase, head.subarray(0, SALT_BYTES), cost)
      const opener = createDecipheriv(CIPHER, key, nonceOf(frame, isLast), { authTagLength: TAG_BYTES })
      opener.setAuthTag(piece.subarray(piece.length - TAG_BYTES))
      let plain: Buffer
      try {
        plain = Buffer.concat([opener.update(piece.subarray(0, piece.length - TAG_BYTES)), opener.final()])
      } catch {
        throw unreadable(frame)
      }
      yield plain
      frame += 1
    }
  }
