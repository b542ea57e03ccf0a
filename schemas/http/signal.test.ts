import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { knownFields, type SignalBody, writeKnownFields } from './signal.ts'

const words = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800'))
const bodies: fc.Arbitrary<SignalBody> = fc.record(
  {
    text: words,
    source: words,
    occurred_at: fc.oneof(fc.integer(), words),
    actor_name: words,
    metadata: fc.dictionary(words, fc.jsonValue()),
    // Not of the contract.
    unknown: words,
  },
  { requiredKeys: ['text'] },
)

test('known fields are written as JSON.stringify does, whatever is in them and however they came', () => {
  const isAlike = (body: SignalBody, text: string) =>
    assert.equal(writeKnownFields(body, text), JSON.stringify(knownFields(body)))
  fc.assert(
    fc.property(bodies, fc.boolean(), (sent, isIndented) => {
      const text = JSON.stringify(sent, null, isIndented ? 2 : 0)
      isAlike(JSON.parse(text), text)
    }),
  )
  for (const text of ['{"text":"a/b"}', '{"text":"a\\/b"}', '{"text":"a\u007f\u2028"}', '{"text":"\\u0041"}'])
    isAlike(JSON.parse(text), text)
})
