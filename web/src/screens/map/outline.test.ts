import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { branchesOf, type OutlinedNode, rowsOf, stepOf } from './outline.ts'

const node = (name: string, parent_id: string | null = null): OutlinedNode => ({
  id: name.toLowerCase(),
  parent_id,
  name,
  version: 1,
  signals: 0,
  subtree_signals: 0,
  metrics: [],
})

const BRANCHES = branchesOf([
  node('Billing'),
  node('Invoices', 'billing'),
  node('PDF', 'invoices'),
  node('Tax', 'billing'),
  node('Exports'),
])
const ALL = rowsOf(BRANCHES, new Set())
const names = (rows: typeof ALL) => rows.map(row => `${'-'.repeat(row.level)}${row.node.name}`)

describe('the tree of the map', () => {
  it('shows each node below its parent, and counts siblings as assistive technology does', () => {
    assert.deepEqual(names(ALL), ['-Billing', '--Invoices', '---PDF', '--Tax', '-Exports'])
    assert.deepEqual(
      ALL.map(({ position, siblings, expanded }) => [position, siblings, expanded]),
      [
        [1, 2, true],
        [1, 2, true],
        [1, 1, null],
        [2, 2, null],
        [2, 2, null],
      ],
    )
  })

  it('hides what is below a collapsed node', () => {
    assert.deepEqual(names(rowsOf(BRANCHES, new Set(['billing']))), ['-Billing', '-Exports'])
  })

  it('shows what a search finds with what is above it, collapsed or not', () => {
    assert.deepEqual(names(rowsOf(BRANCHES, new Set(['billing']), ' pdf ')), ['-Billing', '--Invoices', '---PDF'])
    assert.deepEqual(names(rowsOf(BRANCHES, new Set(), 'nothing')), [])
  })

  it('is worked by keyboard as trees are', () => {
    const step = (active: string, key: string) => {
      const done = stepOf(ALL, active, key)
      return done && `${done.kind} ${done.id}`
    }
    assert.deepEqual(
      [step('billing', 'ArrowDown'), step('exports', 'ArrowDown'), step('tax', 'ArrowUp'), step('billing', 'ArrowUp')],
      ['go invoices', null, 'go pdf', null],
    )
    assert.deepEqual(
      [step('tax', 'Home'), step('tax', 'End'), step('tax', 'x'), step('gone', 'Home')],
      ['go billing', 'go exports', null, null],
    )
    assert.deepEqual(
      [step('tax', 'ArrowLeft'), step('billing', 'ArrowLeft'), step('exports', 'ArrowLeft')],
      ['go billing', 'collapse billing', null],
    )
    const collapsed = rowsOf(BRANCHES, new Set(['billing']))
    assert.deepEqual(stepOf(collapsed, 'billing', 'ArrowRight'), { kind: 'expand', id: 'billing' })
    assert.deepEqual([step('billing', 'ArrowRight'), step('tax', 'ArrowRight')], ['go invoices', null])
  })
})
