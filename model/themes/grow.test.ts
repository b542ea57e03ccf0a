import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../infra/runtime/testing.ts'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { type Answered, grow } from './grow.ts'
import { collectMeanings } from './meanings.ts'
import { pullOf } from './pull.ts'

/** Vectors that lie around points, so many around each; around what is -1 there is nothing else. */
const meaningsAround = (points: readonly number[]) => {
  const random = seededRandom(5)
  const anywhere = () => Float32Array.from({ length: EMBEDDING_DIMENSIONS }, () => random() - 0.5)
  const centres = Array.from({ length: 1 + Math.max(...points) }, anywhere)
  const meanings = collectMeanings(points.length)
  for (const point of points) {
    const centre = centres[point]
    const own = anywhere()
    meanings.add(centre === undefined ? own : own.map((value, place) => value + (centre[place] ?? 0)))
  }
  return meanings.done()
}

const NONE = -1
const MEANINGS = await meaningsAround([0, 0, 0, 0, 1, 1, 1, 1, ...Array.from({ length: 40 }, () => NONE)])
const grown = async (...answered: readonly (Omit<Answered, 'present'> & Partial<Answered>)[]) =>
  (
    await grow(
      answered.map(each => ({ present: [], ...each })),
      MEANINGS,
    )
  ).map(({ members }) => members.map(({ signal }) => signal).toSorted((one, other) => one - other))

describe('What people confirmed of a theme', () => {
  it('stays in it and pulls what is near to it', async () => {
    const confirmed = { confirmed: [0, 1], refused: [] }
    assert.deepEqual(await grown(confirmed, { confirmed: [4], refused: [] }), [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ])
    assert.deepEqual(await grown({ confirmed: [0, 4], refused: [] }, confirmed), [
      [0, 4, 5, 6, 7],
      [0, 1, 2, 3],
    ])
  })

  it('pulls nothing that was refused, and no signal that was confirmed of another', async () => {
    const [theme] = await grown({ confirmed: [0, 1], refused: [3] }, { confirmed: [2, 5], refused: [] })
    assert.deepEqual(theme, [0, 1])
  })

  it('keeps what the theme has already, unless it was refused, is pulled elsewhere, or more was refused', async () => {
    const present = [3, 5, 20, 21].map(signal => ({ signal, likeness: 3 }))
    const other = { confirmed: [4], refused: [] }
    const [kept] = await grown({ confirmed: [0, 1], refused: [21], present }, other)
    assert.deepEqual(kept, [0, 1, 2, 3, 20])
    const [left] = await grown({ confirmed: [0, 1], refused: [21, 22], present }, other)
    assert.deepEqual(left, [0, 1, 2, 3])
  })

  it('is a theme where nothing is near to it, and where it is looked at no more', async () => {
    assert.deepEqual(await grown({ confirmed: [20], refused: [] }, { confirmed: [], refused: [] }), [[20], []])
  })
})

it('The pull of a theme is of length 1, and points away from what was refused', () => {
  const [one, other] = [Float64Array.of(1, 0), Float64Array.of(0, 1)]
  assert.deepEqual(pullOf([one], []), one)
  const [along = 0, across = 0] = pullOf([one], [other])
  assert.ok(across < 0)
  assert.ok(Math.abs(Math.hypot(along, across) - 1) < 1e-9)
})
