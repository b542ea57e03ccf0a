import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawAt } from '../../infra/models/calibration.ts'
import { fitCalibration, type LabelledPair } from './calibrations.ts'
import { madePairs, seededRandom } from './pairs.ts'

const pairs = (count: number, from: number, to: number, same: boolean): LabelledPair[] =>
  Array.from({ length: count }, (_, index) => ({ raw: from + ((to - from) * index) / count, same }))

const fitted = (all: readonly LabelledPair[]) => {
  const fit = fitCalibration(all)
  return { ...fit, at: (threshold: number) => rawAt({ knots: fit.knots, comparesWords: true }, threshold) }
}

test('0.88 is where 97 of 100 pairs say the same, 0.92 where 99 do', () => {
  const all = [...pairs(500, 0.9, 1, true), ...pairs(50, 0.85, 0.95, false), ...pairs(100, 0.8, 0.9, true)]
  const { at, sameShare } = fitted(all)
  const shareAt = (raw: number) => {
    const above = all.filter(pair => pair.raw >= raw - 1e-9)
    return above.filter(pair => pair.same).length / above.length
  }
  assert.ok(shareAt(at(0.88)) >= 0.97, `${at(0.88)}: ${shareAt(at(0.88))}`)
  assert.ok(shareAt(at(0.92)) >= 0.99, `${at(0.92)}: ${shareAt(at(0.92))}`)
  assert.ok(at(0.8) === 0.8 && at(0.88) < 0.95 && at(0.92) > at(0.88))
  assert.ok(sameShare !== null && sameShare >= 0.97)
})

test('a threshold is no lower than copies are, and never below the one of anchors', () => {
  assert.ok(fitted(pairs(200, 0.95, 1, true)).at(0.88) >= 0.95)
  assert.ok(fitted(pairs(200, 0.3, 1, true)).at(0.88) > 0.8)
})

test('a model whose cosine tells nothing skips nothing', () => {
  const { at, sameShare } = fitted([...pairs(100, 0.5, 1, true), ...pairs(100, 0.5, 1, false)].reverse())
  assert.ok(at(0.88) > 1 && at(0.92) > 1)
  assert.equal(sameShare, null)
})

test('pairs that are made of a text are the same each time, some alike and some broken', () => {
  const text = 'The export of 12 invoices fails.\nIt says nothing about the reason.'
  const other = 'Please add a darker theme to the settings'
  const made = (seed: number) => madePairs(text, other, seededRandom(seed))
  assert.deepEqual(made(7), made(7))
  const all = Array.from({ length: 50 }, (_, seed) => made(seed)).flat()
  assert.deepEqual([all.filter(pair => pair.same).length, all.filter(pair => !pair.same).length], [50, 50])
  assert.ok(all.every(pair => pair.left === text && pair.right !== text))
})
