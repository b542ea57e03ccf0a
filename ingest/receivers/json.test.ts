import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { decodeText, parseJson } from './json.ts'

const anything = Compile(Type.Any())
const text = (bytes: Buffer) => {
  const decoded = decodeText(bytes)
  return decoded.kind === 'parsed' ? decoded.value : decoded.reason
}

test('bytes are read as UTF-8 of any script, without a byte order mark, and nothing else is', () => {
  for (const written of ['', 'plain', 'é', '电话 👍', 'a\u0000b', '\ufffe']) {
    assert.equal(text(Buffer.from(written)), written)
    assert.equal(text(Buffer.from(`\ufeff${written}`)), written)
  }
  assert.equal(text(Buffer.from('\ufeff\ufeff')), '\ufeff', 'one mark is dropped')
  for (const wrong of [[0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    assert.equal(text(Buffer.from([0x61, ...wrong])), 'invalid_encoding')
  }
})

test('the values of a large body are counted, not what looks like values in its texts', () => {
  const many = Array(250_001).fill(1).join(',')
  for (const inside of [',', '\\",', '\\\\', '\\\\\\",[', `${'x'.repeat(62)}\\"`, `${'x'.repeat(63)}\\\\\\"`]) {
    const long = inside.repeat(Math.ceil(1_100_000 / inside.length))
    assert.equal(parseJson(`{"a":"${long}","b":[1,2]}`, anything).kind, 'parsed', inside)
    assert.equal(parseJson(`{"a":"${long}","b":[${many}]}`, anything).kind, 'refusal', inside)
  }
  assert.equal(parseJson(`{"a":"${'x'.repeat(1_100_000)}`, anything).kind, 'refusal', 'a text without an end')
})
