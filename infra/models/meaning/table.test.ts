import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosine } from '../../vectors.ts'
import builtIn from '../known/built-in.json' with { type: 'json' }
import { meanOf, textsIn } from './mean.ts'
import reference from './reference.json' with { type: 'json' }
import { readPieces, readTable } from './table.ts'

const unit = (values: Iterable<number>): Float32Array => {
  const vector = Float32Array.from(values)
  return vector.map(value => value / Math.sqrt(cosine(vector, vector)))
}

test('texts of many languages mean here what they mean where the table was made', () => {
  assert.ok(reference.length >= 20)
  for (const { text, vector } of reference) {
    const near = cosine(unit(readTable().meaningOf(text) ?? []), unit(vector))
    assert.ok(near > 0.9999, `${near} for ${text}`)
  }
})

test('texts of many languages are cut here as they were there', () => {
  const known = readPieces()
  for (const { text, pieces } of reference) assert.deepEqual(known.cut(text).rows, pieces, text)
})

test('what all feedback has in common was found with this table', () => {
  const texts = textsIn(new URL('../../../test/evidence/sets/duplicates/paraphrases.jsonl', import.meta.url))
  for (const [at, value] of meanOf(texts).entries()) {
    assert.ok(Math.abs(value - (builtIn.mean[at] ?? Number.NaN)) < 0.001, `${at}: ${value}`)
  }
})

test('of a script without pieces nothing is meant, whatever full stops and digits are in it', () => {
  for (const text of ['', ' \n', 'இந்த புலத்தில் மதிப்பு தேவை. 42.', '🦀🦀!'])
    assert.equal(readTable().meaningOf(text), null, text)
})
