import { createHmac, hash } from 'node:crypto'

/** A block of SHA-256, and its digest. */
const BLOCK_BYTES = 64
export const DIGEST_BYTES = 32
const INNER = 0x36
const OUTER = 0x5c

/** A longer text, or a key longer than a block, goes to the system's own HMAC. */
const ROOM_BYTES = 64 * 1024
const inner = Buffer.alloc(BLOCK_BYTES + ROOM_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/**
 * The HMAC-SHA256 of bytes under a key, into `digest`: two digests as RFC 2104 puts them together, each in one call.
 * Node's own HMAC makes an object for each text, which takes twice as long for one of a kilobyte.
 */
export const writeHmac = (key: string, bytes: Buffer, digest: Buffer): void => {
  const keyBytes = Buffer.byteLength(key)
  if (keyBytes > BLOCK_BYTES || bytes.byteLength > ROOM_BYTES) {
    createHmac('sha256', key).update(bytes).digest().copy(digest)
    return
  }
  outer.fill(0, keyBytes, BLOCK_BYTES)
  outer.write(key)
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = outer[at] ?? 0
    inner[at] = byte ^ INNER
    outer[at] = byte ^ OUTER
  }
  bytes.copy(inner, BLOCK_BYTES)
  const end = BLOCK_BYTES + bytes.byteLength
  // As text: a digest in a buffer of its own takes longer than the digesting.
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1')
  digest.write(hash('sha256', outer, 'binary'), 'latin1')
}
