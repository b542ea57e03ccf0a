import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVectorCache } from './vector-cache.ts'

const vector = (value: number) => new Float32Array(1024).fill(value)

test('the least recently used goes when there are too many', () => {
  const cache = createVectorCache('model', 2)
  cache.set('a', vector(1))
  cache.set('b', vector(2))
  assert.deepEqual(cache.get('a'), vector(1))
  cache.set('c', vector(3))
  assert.equal(cache.get('b'), undefined)
  assert.deepEqual([cache.get('a')?.[0], cache.get('c')?.[0]], [1, 3])
})

test('a text that is put again counts once', () => {
  const cache = createVectorCache('model', 2)
  for (const text of ['a', 'b', 'b', 'b']) cache.set(text, vector(1))
  assert.ok(cache.get('a'))
})
