import { createHmac, hash } from 'node:crypto'

/** The block size and digest size of SHA-256. */
const BLOCK_BYTES = 64
export const DIGEST_BYTES = 32
const INNER = 0x36
const OUTER = 0x5c

/** Longer texts, and keys longer than a block, use Node's HMAC. */
const ROOM_BYTES = 64 * 1024
const inner = Buffer.alloc(BLOCK_BYTES + ROOM_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES)

/**
 * Writes the HMAC-SHA256 of bytes under a key into `digest`, as two digests (RFC 2104). Node's HMAC allocates an object
 * for each text, and takes twice as long for a text of 1 KB.
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
  // As text, since a digest in a new buffer takes longer than the hashing.
  outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1')
  digest.write(hash('sha256', outer, 'binary'), 'latin1')
}
