import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clip } from './clip.ts'

test('a short text stays as it is, a long one ends in three dots', () => {
  assert.equal(clip('abc', 3), 'abc')
  assert.equal(clip('abcd', 3), 'abc…')
  assert.equal(clip('', 3), '')
})

test('no character is cut in half', () => {
  assert.equal(clip('ab😀d', 3), 'ab…')
  assert.equal(clip('ab😀d', 4), 'ab😀…')
})
