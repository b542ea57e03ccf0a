import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosine } from '../../vectors.ts'
import builtIn from '../known/built-in.json' with { type: 'json' }
import { encode } from './encoder.ts'
import { meanOf, textsIn } from './mean.ts'
import reference from './reference.json' with { type: 'json' }
import { readPieces, readTable, type TextRows } from './table.ts'

const unit = (values: ArrayLike<number>): Float32Array => {
  const vector = Float32Array.from(values)
  return vector.map(value => value / Math.sqrt(cosine(vector, vector)))
}

const rowsOf = (text: string): TextRows => {
  const rows = readTable().rowsOf(text)
  assert.ok(rows, text)
  return rows
}

test('texts of many languages mean here what they mean to the teacher', async () => {
  assert.ok(reference.length >= 20)
  for (const { text, vector } of reference) {
    const near = cosine(unit(await encode(rowsOf(text))), unit(vector))
    assert.ok(near > LEAST, `${near} for ${text}`)
  }
})

/**
 * Lower case, four bits, fewer directions, and pieces that other languages use too take from a short text's likeness.
 */
const LEAST = 0.7

test('texts of many languages are cut here as they were where the table was made', () => {
  const known = readPieces()
  for (const { text, pieces } of reference) assert.deepEqual(known.cut(text).rows, pieces, text)
})

test('what all feedback has in common was found with this table', async () => {
  const texts = textsIn(new URL('../../../test/evidence/sets/duplicates/paraphrases.jsonl', import.meta.url))
  for (const [at, value] of (await meanOf(texts)).entries()) {
    assert.ok(Math.abs(value - (builtIn.mean[at] ?? Number.NaN)) < 0.003, `${at}: ${value}`)
  }
})

test('of a script without pieces nothing is meant, whatever full stops and digits are in it', () => {
  for (const text of ['', ' \n', 'இந்த புலத்தில் மதிப்பு தேவை. 42.', '🦀🦀!'])
    assert.equal(readTable().rowsOf(text), null, text)
})

test('a long text costs no more than its first 64 pieces', () => {
  const words = 'The export of the invoices fails. '
  assert.equal(rowsOf(words.repeat(30)).count, 66)
  assert.deepEqual(rowsOf(words.repeat(60)), rowsOf(words.repeat(30)))
})
