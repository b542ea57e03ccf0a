import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MARKS, mergeTexts } from './differences.ts'

const BASE = 'one\ntwo\nthree\nfour'

test('what one of both changed is as they have it', () => {
  const merged = mergeTexts(BASE, 'ONE\ntwo\nthree\nfour', 'one\ntwo\nthree\nfour\nfive')
  assert.deepEqual(merged, { text: 'ONE\ntwo\nthree\nfour\nfive', conflicts: 0 })
  assert.deepEqual(mergeTexts(BASE, 'one\nthree\nfour', BASE), { text: 'one\nthree\nfour', conflicts: 0 })
})

test('what both changed alike is there once', () => {
  const changed = 'one\n2\nthree\nfour'
  assert.deepEqual(mergeTexts(BASE, changed, changed), { text: changed, conflicts: 0 })
})

test('where both changed the same lines, both are kept between marks', () => {
  const merged = mergeTexts(BASE, 'one\nours\nthree\nfour', 'one\ntheirs\nthree\nfour')
  const kept = [MARKS.ours, 'ours', MARKS.between, 'theirs', MARKS.theirs]
  assert.deepEqual(merged, { text: ['one', ...kept, 'three', 'four'].join('\n'), conflicts: 1 })
})

test('two who begin the same document are both kept', () => {
  const merged = mergeTexts('', 'mine', 'theirs')
  assert.equal(merged.conflicts, 1)
  assert.match(merged.text, /mine.*theirs/s)
})

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 }).map(each => each.join('\n'))

test('for any texts: who changed nothing gets the other’s text, and the order of both changes nothing but the sides', () => {
  fc.assert(
    fc.property(lines, lines, lines, (base, ours, theirs) => {
      assert.deepEqual(mergeTexts(base, base, theirs), { text: theirs, conflicts: 0 })
      assert.deepEqual(mergeTexts(base, ours, base), { text: ours, conflicts: 0 })
      assert.equal(mergeTexts(base, ours, theirs).conflicts, mergeTexts(base, theirs, ours).conflicts)
    }),
  )
})

test('for any texts, a line that somebody added is in what comes of it', () => {
  fc.assert(
    fc.property(lines, lines, lines, (base, ours, theirs) => {
      const merged = mergeTexts(base, `${ours}\nadded by us`, `added by them\n${theirs}`).text.split('\n')
      assert.ok(merged.includes('added by us') && merged.includes('added by them'))
    }),
  )
})

test('texts of very many lines are brought together', () => {
  const many = (line: string) => `${line}\n`.repeat(400_000)
  const merged = mergeTexts('', many('ours'), many('theirs'))
  assert.equal(merged.conflicts, 1)
  assert.equal(merged.text.split('\n').length, 800_004)
})
