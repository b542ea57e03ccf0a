import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createUnreadBytes } from './unread-bytes.ts'

const MEBIBYTE = 1024 * 1024
const PIECES = 15
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const PIECE = new Uint8Array(64 * 1024).fill(7)

/** The bytes of all array buffers after garbage collection, which frees them on another thread, so a little later. */
const leastArrayBuffers = async (): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round += 1) {
    collectGarbage()
    await setImmediate()
    least = Math.min(least, process.memoryUsage().arrayBuffers)
  }
  return least
}

test('bodies that nobody reads take so much memory together, and each comes out as it went in', async () => {
  const before = await leastArrayBuffers()
  const bodies = Array.from({ length: 200 }, createUnreadBytes)
  for (let piece = 0; piece < PIECES; piece += 1) for (const body of bodies) body.add(PIECE)
  // Memory grows in steps, at most to twice of what it holds; each step leaves the smaller one to be collected.
  const held = (await leastArrayBuffers()) - before
  assert.ok(held < 2 * 64 * MEBIBYTE, `${held} bytes`)
  for (const body of bodies) {
    let bytes = 0
    for (let part = body.take(); part !== null; part = body.take()) {
      bytes += part.byteLength
      assert.ok(part.every(byte => byte === 7))
    }
    assert.equal(bytes, PIECES * PIECE.byteLength)
    body.drop()
  }
  // All of it was given back: the next one is kept in memory.
  const next = createUnreadBytes()
  next.add(PIECE)
  assert.equal(next.take()?.byteLength, PIECE.byteLength)
  next.drop()
})
