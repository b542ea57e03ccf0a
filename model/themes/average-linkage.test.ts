import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../infra/runtime/testing.ts'
import { groupsOf } from './average-linkage.ts'
import { collectPairs, type Pairs } from './pairs.ts'

interface Pair {
  readonly one: number
  readonly other: number
  readonly likeness: number
}
const columnsOf = (pairs: readonly Pair[]): Pairs => {
  const columns = collectPairs(pairs.length)
  for (const { one, other, likeness } of pairs) columns.add(one, other, likeness)
  return columns.done()
}

const sorted = (groups: readonly (readonly number[])[]): readonly string[] =>
  groups.map(group => group.toSorted((one, other) => one - other).join(' ')).toSorted()

/** The same by comparing every two groups anew each time. */
const slowly = (size: number, pairs: readonly Pair[], least: number): readonly number[][] => {
  const known = new Map(pairs.map(({ one, other, likeness }) => [`${one} ${other}`, likeness]))
  const alike = (one: number, other: number): number =>
    known.get(`${Math.min(one, other)} ${Math.max(one, other)}`) ?? 0
  const groups = Array.from({ length: size }, (_, at) => [at])
  for (;;) {
    let best: { readonly one: number; readonly other: number; readonly likeness: number } | null = null
    for (const [one, left] of groups.entries())
      for (const [other, right] of groups.entries()) {
        if (other <= one) continue
        const all = left.flatMap(a => right.map(b => alike(a, b)))
        const likeness = all.reduce((sum, value) => sum + value, 0) / all.length
        if (likeness >= least && (best === null || likeness > best.likeness + 1e-9)) best = { one, other, likeness }
      }
    if (best === null) return groups.filter(group => group.length > 1)
    groups[best.one]?.push(...(groups[best.other] ?? []))
    groups.splice(best.other, 1)
  }
}

describe('Average linkage', () => {
  it('joins the likest groups first, and those that are alike on average alone', async () => {
    const pairs = [
      { one: 0, other: 1, likeness: 5 },
      { one: 1, other: 2, likeness: 4 },
      { one: 3, other: 4, likeness: 3 },
      { one: 2, other: 3, likeness: 1.5 },
    ]
    assert.deepEqual(sorted(await groupsOf({ size: 6, pairs: columnsOf(pairs), least: 2 })), ['0 1 2', '3 4'])
    assert.deepEqual(sorted(await groupsOf({ size: 6, pairs: columnsOf(pairs), least: 2.5 })), ['0 1', '3 4'])
    assert.deepEqual(await groupsOf({ size: 0, pairs: columnsOf([]), least: 2 }), [])
  })

  it('makes the groups that comparing every two of them makes', async () => {
    const random = seededRandom(3)
    for (let round = 0; round < 30; round += 1) {
      const pairs: Pair[] = []
      for (let other = 1; other < 25; other += 1)
        for (let one = 0; one < other; one += 1) if (random() < 0.4) pairs.push({ one, other, likeness: random() * 4 })
      const asked = { size: 25, pairs: columnsOf(pairs), least: 0.8 }
      assert.deepEqual(sorted(await groupsOf(asked)), sorted(slowly(25, pairs, 0.8)))
    }
  })
})
