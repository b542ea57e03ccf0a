import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { metricTrendOf } from './metric-trend.ts'
import { branchesOf, findBranch, idsOf, lineTo, type OutlinedNode, pathTo } from './outline.ts'
import { layOut } from './treemap-layout.ts'

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
