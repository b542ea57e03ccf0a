export const EMPTY = Buffer.alloc(0)
const MIN_GROWTH_BYTES = 4096

/**
 * Appends a piece to the first `used` bytes of `kept`. The piece is copied, since uWebSockets.js reuses its memory
 * after the callback, into a buffer that grows by doubling: small buffers for a body that comes byte by byte would take
 * a hundred times its size. The outgrown buffer is freed at once by `transfer`: garbage collection of large bodies
 * would stop the thread.
 */
export const append = (kept: Buffer, used: number, piece: Uint8Array, isLast: boolean): Buffer => {
  const needed = used + piece.byteLength
  let roomy = kept
  if (needed > kept.byteLength) {
    const roomyBytes = isLast ? needed : Math.max(needed, 2 * kept.byteLength, MIN_GROWTH_BYTES)
    if (used === 0) roomy = isLast ? Buffer.allocUnsafe(roomyBytes) : Buffer.allocUnsafeSlow(roomyBytes)
    // Not from Node's shared pool, since more than one piece has come.
    else roomy = Buffer.from((kept.buffer as ArrayBuffer).transfer(roomyBytes))
  }
  roomy.set(piece, used)
  return roomy
}
