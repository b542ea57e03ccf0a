import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Rectangle, squarify } from './squarify.ts'

const areaOf = ({ width, height }: Rectangle): number => width * height
const rounded = (rectangles: readonly Rectangle[]) =>
  rectangles.map(({ x, y, width, height }) => [x, y, width, height].map(side => Number(side.toFixed(2))))

const overlap = (one: Rectangle, other: Rectangle): number =>
  Math.max(0, Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)) *
  Math.max(0, Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y))

describe('the squarified treemap', () => {
  it('places the example of its paper as the paper does', () => {
    assert.deepEqual(rounded(squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 })), [
      [0, 0, 3, 2],
      [0, 2, 3, 2],
      [3, 0, 1.71, 2.33],
      [4.71, 0, 1.29, 2.33],
      [3, 2.33, 1.2, 1.67],
      [4.2, 2.33, 1.2, 1.67],
      [5.4, 2.33, 0.6, 1.67],
    ])
  })

  it('answers in the order of the weights, whatever their size', () => {
    const [small, large] = squarify([1, 3], { x: 10, y: 20, width: 8, height: 4 })
    assert.ok(small && large)
    assert.deepEqual([areaOf(small), areaOf(large)], [8, 24])
    assert.deepEqual([large.x, large.y], [10, 20])
  })

  it('gives what weighs nothing no room, and nothing any when there is none', () => {
    const rectangles = squarify([0, 2, -1, Number.NaN], { x: 0, y: 0, width: 4, height: 4 })
    assert.deepEqual(rectangles.map(areaOf), [0, 16, 0, 0])
    assert.deepEqual(squarify([], { x: 0, y: 0, width: 4, height: 4 }), [])
    assert.deepEqual(squarify([1, 1], { x: 0, y: 0, width: 0, height: 4 }).map(areaOf), [0, 0])
  })

  it('fills the rectangle in proportion, without overlaps, and stays within it', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 40 })
    const side = fc.integer({ min: 1, max: 2000 })
    fc.assert(
      fc.property(weights, side, side, (given, width, height) => {
        const within = { x: 7, y: -3, width, height }
        const rectangles = squarify(given, within)
        const total = given.reduce((sum, weight) => sum + weight, 0)
        const slack = width * height * 1e-9
        for (const [index, rectangle] of rectangles.entries()) {
          assert.ok(Math.abs(areaOf(rectangle) - ((given[index] ?? 0) / total) * width * height) <= slack)
          assert.ok(areaOf(rectangle) - overlap(rectangle, within) <= slack)
          for (const other of rectangles.slice(index + 1)) assert.ok(overlap(rectangle, other) <= slack)
        }
      }),
    )
  })
})
