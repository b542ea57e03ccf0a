import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { DIGEST_BYTES, writeHmac } from './hmac.ts'

const digest = Buffer.alloc(DIGEST_BYTES)

test('an HMAC is the one of the system, whatever the lengths of key and text', () => {
  const keys = [0, 1, 31, 32, 63, 64, 65, 200].map(length => randomBytes(length).toString('base64').slice(0, length))
  const texts = [0, 1, 55, 56, 63, 64, 65, 1024, 65_535, 65_536, 65_537].map(length => randomBytes(length))
  for (const key of [...keys, 'ключ', '🔑'.repeat(16), '🔑'.repeat(17)]) {
    for (const text of texts) {
      writeHmac(key, text, digest)
      assert.equal(digest.toString('hex'), createHmac('sha256', key).update(text).digest('hex'))
    }
  }
})
