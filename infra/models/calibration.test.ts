import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Calibration, IDENTITY, rawAt, shippedCalibration, toScale } from './calibration.ts'
import { BUILT_IN_MODEL } from './meaning/name.ts'

const shipped = (): Calibration => shippedCalibration(BUILT_IN_MODEL) ?? assert.fail('The built-in embedder has none.')

test('without a calibration a cosine is what it is, to the last digit', () => {
  for (const raw of [-1, -0.3, 0, Math.fround(0.8), 0.88, Math.fround(0.92), 1]) {
    assert.equal(toScale(IDENTITY, raw), raw)
    assert.equal(rawAt(IDENTITY, raw), raw)
  }
})

test('the built-in embedder’s scale rises with the cosine, and each threshold leads back to it', () => {
  const scale = Array.from({ length: 2001 }, (_, index) => toScale(shipped(), -1 + index / 1000))
  assert.ok(scale.every((value, index) => index === 0 || value > (scale[index - 1] ?? 0)))
  for (const threshold of [0.8, 0.88, 0.92]) {
    assert.ok(Math.abs(toScale(shipped(), rawAt(shipped(), threshold)) - threshold) < 1e-12)
  }
})

test('what no cosine reaches is above 1', () => {
  const never: Calibration = {
    comparesWords: true,
    knots: [
      [-1, -1],
      [0.8, 0.8],
      [1, 0.8799],
    ],
  }
  assert.ok(rawAt(never, 0.88) > 1)
  assert.equal(rawAt(never, 0.8), 0.8)
})

test('another model comes with no calibration', () => assert.equal(shippedCalibration('bge-m3'), null))
