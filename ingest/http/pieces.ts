export const EMPTY = Buffer.alloc(0)
const MIN_GROWTH_BYTES = 4096

/**
 * The first `used` bytes of `kept` with the piece behind them. A piece is copied, since uWebSockets.js reuses what is
 * behind it as soon as its callback returns, and into one piece of memory that grows by doubling: a body or a mail that
 * comes byte by byte would otherwise take a hundred times its size in small buffers. What it grew out of is freed at
 * once: left to the garbage collector, large bodies would have it stop the thread for a whole round.
 */
export const append = (kept: Buffer, used: number, piece: Uint8Array, isLast: boolean): Buffer => {
  const needed = used + piece.byteLength
  let roomy = kept
  if (needed > kept.byteLength) {
    const roomyBytes = isLast ? needed : Math.max(needed, 2 * kept.byteLength, MIN_GROWTH_BYTES)
    if (used === 0) roomy = isLast ? Buffer.allocUnsafe(roomyBytes) : Buffer.allocUnsafeSlow(roomyBytes)
    // It is not of the pool that small buffers share: more than one piece has come.
    else roomy = Buffer.from((kept.buffer as ArrayBuffer).transfer(roomyBytes))
  }
  roomy.set(piece, used)
  return roomy
}
