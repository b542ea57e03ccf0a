import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { perhapsSame } from './perhaps-same.ts'
import { memberForTests } from './testing.ts'

describe('A theme that is perhaps the same', () => {
  const offered = ['THM-2', 'THM-2', 'THM-2', 'THM-3', 'THM-3', 'THM-3', undefined, undefined].map((in_theme, at) =>
    memberForTests(at, { ...(in_theme !== undefined && { in_theme }) }),
  )
  const after = (added: readonly number[], keptOut: readonly number[] = []) =>
    perhapsSame(
      offered,
      new Map([...added.map(at => [`id-${at}`, true] as const), ...keptOut.map(at => [`id-${at}`, false] as const)]),
    )

  it('is the one that a person added two signals of, and kept fewer out of', () => {
    assert.equal(after([]), null)
    assert.equal(after([0, 3]), null)
    assert.deepEqual(after([0, 1]), { reference: 'THM-2', added: 2 })
    assert.deepEqual(after([0, 1], [2, 3, 4, 5]), { reference: 'THM-2', added: 2 })
    assert.equal(after([0], [1, 2]), null)
    assert.equal(after([6, 7]), null)
  })

  it('is the one that most were added of', () => {
    assert.deepEqual(after([0, 1, 3, 4, 5]), { reference: 'THM-3', added: 3 })
  })
})
