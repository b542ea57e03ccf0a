import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { metricTrendOf } from './metric-trend.ts'
import { branchesOf, findBranch, idsOf, lineTo, type OutlinedNode, pathTo } from './outline.ts'
import { layOut, type Rectangle, squarify } from './treemap-layout.ts'

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

const WITHIN = { x: 0, y: 0, width: 800, height: 600 }

const node = (id: string, parent_id: string | null, signals = 0, subtree_signals = signals): OutlinedNode => ({
  id,
  parent_id,
  name: id.toUpperCase(),
  version: 1,
  signals,
  subtree_signals,
  metrics: [],
})

const areas = (nodes: readonly OutlinedNode[]) =>
  Object.fromEntries(
    layOut(branchesOf(nodes), WITHIN).map(({ branch, place, kind }) => [
      kind === 'own' ? `${branch.node.id} itself` : branch.node.id,
      place.width * place.height,
    ]),
  )

describe('the picture of the map', () => {
  it('sizes nodes by their evidence', () => {
    const { a = 0, b = 0 } = areas([node('a', null, 30), node('b', null, 10)])
    assert.equal(a / b, 3)
    assert.equal(a + b, 800 * 600)
  })

  it('shows a node without evidence too, at an eighth of the average at least', () => {
    const { a = 0, b = 0 } = areas([node('a', null, 1000), node('b', null, 0)])
    assert.ok(b > 0)
    assert.equal(Math.round(a / b), 16)
  })

  it('shows every node alike where there is no evidence at all', () => {
    assert.deepEqual(Object.values(areas(['a', 'b', 'c', 'd'].map(id => node(id, null)))), Array(4).fill(120_000))
  })

  it('puts what is below a node into its frame, beside what is anchored to the node itself', () => {
    const cells = layOut(branchesOf([node('a', null, 10, 40), node('b', 'a', 20), node('c', 'a', 10)]), WITHIN)
    assert.deepEqual(
      cells.map(({ branch, kind, depth }) => [branch.node.id, kind, depth]),
      [
        ['a', 'frame', 0],
        ['b', 'leaf', 1],
        ['c', 'leaf', 1],
        ['a', 'own', 1],
      ],
    )
    const [b = 0, c = 0, own] = cells.slice(1).map(({ place }) => place.width * place.height)
    assert.deepEqual([Math.round((b / c) * 1e6), own], [2e6, c])
  })

  it('does not divide what is too small to be told apart', () => {
    const nodes = [
      node('a', null, 5),
      ...Array.from({ length: 400 }, (_, index) => [
        node(`n${index}`, null, 5, 10),
        node(`m${index}`, `n${index}`, 5),
      ]).flat(),
    ]
    assert.ok(layOut(branchesOf(nodes), WITHIN).every(({ kind }) => kind === 'leaf'))
  })

  it('tells a node by which way its metrics went', () => {
    const of = (...changes: readonly OutlinedNode['metrics'][number]['change'][]) =>
      metricTrendOf({ metrics: changes.map(change => ({ change }) as OutlinedNode['metrics'][number]) })
    assert.deepEqual(
      [of(), of(null), of('same', null), of('better', 'same'), of('worse', 'same'), of('worse', 'better')],
      ['none', 'none', 'same', 'better', 'worse', 'mixed'],
    )
  })

  it('finds a branch, what is below it and the way to it; an id that is not there leads nowhere', () => {
    const nodes = [node('a', null), node('b', 'a'), node('c', 'b'), node('lost', 'gone')]
    const byId = new Map(nodes.map(each => [each.id, each]))
    const branches = branchesOf(nodes)
    assert.deepEqual(
      branches.map(({ node: { id } }) => id),
      ['a', 'lost'],
    )
    const found = findBranch(branches, 'b')
    assert.deepEqual(found && idsOf(found), ['b', 'c'])
    assert.equal(findBranch(branches, 'z'), null)
    assert.deepEqual(
      lineTo(byId, 'c').map(({ id }) => id),
      ['a', 'b', 'c'],
    )
    assert.equal(pathTo(byId, 'c'), 'A / B / C')
    assert.equal(pathTo(byId, 'z'), '')
  })
})
