import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedCalibration } from './calibration.ts'
import { filledVector } from './filled-vector.ts'
import { knownModel } from './known/known-models.ts'
import { pointing } from './testing.ts'

const E5 = 'intfloat/multilingual-e5-small'

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

const some = (dimensions: number, seed: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, at) => Math.sin(seed * (at + 1)))

test('a vector of fewer dimensions keeps its cosines, and every sign bit says something', () => {
  const [one, other] = [filledVector('small', some(384, 1)), filledVector('small', some(384, 1.01))]
  const [whole, wholeOther] = [some(384, 1), some(384, 1.01)].map(values => Float32Array.from(values))
  assert.ok(whole && wholeOther)
  const expected = dot(whole, wholeOther) / Math.sqrt(dot(whole, whole) * dot(wholeOther, wholeOther))
  assert.ok(Math.abs(dot(one, other) - expected) < 1e-4)
  assert.equal(one.length, 1024)
  assert.ok(Math.abs(dot(one, one) - 1) < 1e-5)
  const positive = one.slice(384).filter(value => value > 0).length
  assert.ok(positive > 200 && positive < 440, `${positive} of 640 are positive`)
})

test('one of 1024 dimensions stays as it is', () => {
  assert.equal(filledVector('large', pointing(7)).indexOf(1), 7)
})

test('what all vectors of a known model share is taken off', () => {
  const { mean } = knownModel(E5) ?? {}
  assert.ok(mean)
  assert.equal(mean.length, 384)
  const near = (seed: number) => mean.map((shared, at) => shared + 0.02 * Math.sin(seed * (at + 1)))
  const other = near(5)
  assert.ok(dot(filledVector('another', near(3)), filledVector('another', other)) > 0.8)
  assert.ok(Math.abs(dot(filledVector(E5, near(3)), filledVector(E5, other))) < 0.5)
})

test('knows a model by the names that servers give it, and no other one', () => {
  for (const name of [
    'multilingual-e5-small',
    'multilingual-e5-small-q4',
    E5,
    'jeffh/intfloat-multilingual-e5-small:f16',
    'all-minilm',
    'all-minilm:22m',
    'sentence-transformers/all-MiniLM-L6-v2',
  ]) {
    assert.notEqual(shippedCalibration(name), null, name)
  }
  for (const name of ['bge-m3', 'multilingual-e5-large', 'all-minilm:33m', 'cnmoro/portuguese-multilingual-e5-small']) {
    assert.equal(shippedCalibration(name), null, name)
  }
})

test('refuses more dimensions than are stored, and zeros [object-15]', () => {
  assert.throws(() => filledVector('huge', some(1536, 1)), /1536 dimensions.*128 to 1024/)
  assert.throws(
    () =>
      filledVector(
        E5,
        Array.from({ length: 384 }, () => 0),
      ),
    /vector of zeros/,
  )
})
