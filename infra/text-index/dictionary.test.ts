import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDictionary } from './dictionary.ts'

test('a word keeps its number, however many come between, alike in their beginnings or not', () => {
  const dictionary = createDictionary()
  const numbers = new Map<string, number>()
  let random = 7
  for (let said = 0; said < 60_000; said += 1) {
    random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
    // Few words often, many once.
    const rank = (random >>> 8) % (said % 3 === 0 ? 40_000 : 300)
    const word = rank % 2 === 0 ? `word${rank}` : `of the same beginning ${rank}`
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    assert.equal(dictionary.findOrAdd(word), number)
    assert.equal(dictionary.find(word), number)
  }
  assert.equal(dictionary.size, numbers.size)
  assert.ok(dictionary.size > 10_000)
})
