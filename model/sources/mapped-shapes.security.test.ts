import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAPPED_SIGNAL_FIELDS } from '../../schemas/http/connection.ts'
import { signalBody } from '../../schemas/http/signal.ts'
import { connectionSignal } from './connection-signal.ts'

/**
 * A sender chooses the body, a member the mapping; neither may lead to anything but a signal or the places that are
 * wrong.
 */

const NOW = Date.UTC(2026, 10, 23)

const KEYS = ['data', 'text', '', '0', '1', 'length', 'a/b', '~', '__proto__', 'constructor', 'prototype', 'toString']
const key = fc.constantFrom(...KEYS)
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e21, 9_999_999_999, '', ' ', '\u0000', '\ud800', '\u202e', 'A ticket.'),
  fc.constantFrom('2026-11-20', '1066-10-14', 'customer', 'alien', 'user', 'javascript:alert(1)', 'https://e.example'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
/** As JSON brings it: also objects whose own key is `__proto__`. */
const { body } = fc.letrec<{ body: unknown }>(tie => ({
  body: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('body'), { maxLength: 3 }),
    fc
      .array(fc.tuple(key, tie('body')), { maxLength: 4 })
      .map(entries =>
        JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`),
      ),
  ),
}))
const pointer = fc
  .array(key, { maxLength: 4 })
  .map(keys => keys.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
const mapping = fc.record(
  { text: pointer, ...Object.fromEntries(MAPPED_SIGNAL_FIELDS.map(field => [field, pointer])) },
  { requiredKeys: ['text'] },
) as fc.Arbitrary<{ readonly text: string }>

test('a body of any shape under a mapping of any kind is a signal as the signal webhook takes it, or names what is wrong', () => {
  let taken = 0
  fc.assert(
    fc.property(body, fc.option(mapping, { nil: undefined, freq: 8 }), (sent, own) => {
      const before = JSON.stringify(sent)
      const found = connectionSignal(sent, { name: 'Desk', mapping: own, sentAt: NOW, receivedAt: NOW })
      assert.equal(JSON.stringify(sent), before)
      if (!found.ok) {
        assert.ok(found.violations.length > 0)
        const places = new Set(Object.values(own ?? {}))
        for (const { pointer: at, message } of found.violations) {
          assert.ok(own === undefined || places.has(at) || at === '' || [...places].some(one => at.startsWith(one)), at)
          // What a sender wrote is never repeated to whoever reads the refusal.
          assert.doesNotMatch(message, /alien|javascript|A ticket/)
        }
        return
      }
      taken += 1
      // What it inherits is nobody's word, and what is stored is read again as it is.
      assert.equal(Object.getPrototypeOf(found.value), Object.prototype)
      assert.ok(signalBody.Check(JSON.parse(JSON.stringify(found.value))), JSON.stringify(found.value))
    }),
    { numRuns: 3000 },
  )
  assert.ok(taken > 10, `${taken} of 3000 were taken`)
  assert.equal(({} as { text?: string }).text, undefined)
})
