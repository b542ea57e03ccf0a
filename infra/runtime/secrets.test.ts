import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isAssayError } from './errors.ts'
import {
  createPseudonymizer,
  createSealer,
  derivedSecrets,
  keyAfter,
  randomHex,
  randomSecret,
  sameSecret,
  sha256,
  withKeyBefore,
} from './secrets.ts'

const key = randomBytes(32)
const refused = (error: unknown) => isAssayError(error) && error.code === 'internal'

test('what is sealed is read again, whatever it holds', () => {
  const sealer = createSealer(key)
  for (const plaintext of ['', 'whsec_abc', 'ünï\u0000code 🔑', 'x'.repeat(10_000)])
    assert.equal(sealer.unseal(sealer.seal(plaintext)), plaintext)
})

test('sealing the same twice gives different bytes, none of which show the secret', () => {
  const sealer = createSealer(key)
  const [first, second] = [sealer.seal('a secret'), sealer.seal('a secret')]
  assert.notDeepEqual(first, second)
  assert.equal(Buffer.from(first).includes('a secret'), false)
})

test('a sealed secret with any one byte changed, cut short, or of another installation is refused', () => {
  const sealer = createSealer(key)
  const sealed = sealer.seal('a secret')
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Uint8Array.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => sealer.unseal(changed), refused, `byte ${index}`)
  }
  for (const length of [0, 1, 13, 28, sealed.length - 1])
    assert.throws(() => sealer.unseal(sealed.subarray(0, length)), refused)
  assert.throws(() => createSealer(randomBytes(32)).unseal(sealed), refused)
})

test('a pseudonym is stable for a value, a purpose and an installation, and differs between any of them', () => {
  const actors = createPseudonymizer(key, 'actors')
  assert.equal(actors('a'), createPseudonymizer(key, 'actors')('a'))
  const others = [
    actors('b'),
    createPseudonymizer(key, 'senders')('a'),
    createPseudonymizer(randomBytes(32), 'actors')('a'),
  ]
  assert.equal(new Set([actors('a'), ...others]).size, 4)
})

test('secrets derived for different purposes differ, and stay the same for one', () => {
  assert.deepEqual(derivedSecrets(key, 'sessions'), derivedSecrets(key, 'sessions'))
  assert.notEqual(derivedSecrets(key, 'sessions')[0].value, derivedSecrets(key, 'links')[0].value)
  const next = keyAfter(key)
  const both = derivedSecrets(withKeyBefore(next, key), 'sessions')
  assert.deepEqual(both, [...derivedSecrets(next, 'sessions'), ...derivedSecrets(key, 'sessions')])
})

test('a key of the wrong length is refused', () => {
  assert.throws(() => createSealer(randomBytes(16)), /32 bytes/)
})

test('secrets compare by all their characters, and of any length', () => {
  assert.ok(sameSecret('abc', Buffer.from('abc')))
  assert.ok(!sameSecret('abc', 'abd'))
  assert.ok(!sameSecret('abc', 'abcd'))
  assert.ok(!sameSecret('', 'a'))
})

test('random secrets have the asked length, are safe in URLs and do not repeat', () => {
  assert.match(randomHex(16), /^[0-9a-f]{32}$/)
  assert.match(randomSecret(), /^[\w-]{43}$/)
  assert.equal(new Set(Array.from({ length: 100 }, () => randomSecret())).size, 100)
})

test('sha256 is the standard one', () => {
  assert.equal(sha256('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
