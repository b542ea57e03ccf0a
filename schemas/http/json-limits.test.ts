import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exceededLimit } from './json-limits.ts'

const ROOMY = { values: 1_000_000, depth: 1_000 }

/** What the count stands for: an object or an array, and what is in it. An empty one counts as one. */
const countedValues = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return Math.max(1, inner.length) + inner.reduce<number>((sum, each) => sum + countedValues(each), 0)
}
const countedDepth = (value: unknown): number =>
  typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(countedDepth))

test('values and depth are those of the parsed value, whatever its texts and names look like', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), (value, spaced) => {
      const json = JSON.stringify(value, null, spaced ? 1 : 0)
      const [values, depth] = [countedValues(value), countedDepth(value)]
      assert.equal(exceededLimit(json, { ...ROOMY, values }), null)
      assert.equal(exceededLimit(json, { ...ROOMY, depth }), null)
      if (values > 0) assert.equal(exceededLimit(json, { ...ROOMY, values: values - 1 }), 'values')
      if (depth > 0) assert.equal(exceededLimit(json, { ...ROOMY, depth: depth - 1 }), 'depth')
    }),
  )
})

test('what stands in texts is no value, however it is escaped and however long it is', () => {
  for (const inside of ['[', ',', '\\",', '\\\\', '\\\\\\",[', `${'x'.repeat(62)}\\"`, `${'x'.repeat(63)}\\\\\\"`]) {
    const long = `{"a":"${inside.repeat(1000)}","b":[1,2]}`
    assert.equal(exceededLimit(long, { values: 4, depth: 2 }), null, inside)
    assert.equal(exceededLimit(long, { values: 3, depth: 2 }), 'values', inside)
  }
})

test('a text that ends in the midst of a value is counted as far as it goes', () => {
  for (const broken of ['', '"', '"\\', '[', '{"a', ']]]]', '"\\\\\\"'])
    assert.equal(exceededLimit(broken, { values: 1, depth: 1 }), null, broken)
  assert.equal(exceededLimit('[[', { values: 9, depth: 1 }), 'depth')
})
