import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../infra/runtime/testing.ts'
import { type ClaimId, newId, type ProposalId } from '../../schemas/domain/ids.ts'
import { groupPairs, MAX_GROUP } from './group-pairs.ts'

const numberOf = (claim: ClaimId) => Number(claim)
const pair = (one: number, other: number) => ({
  id: newId<ProposalId>(),
  one: String(one) as ClaimId,
  other: String(other) as ClaimId,
})
const grouped = (...pairs: readonly ReturnType<typeof pair>[]) =>
  groupPairs(pairs, numberOf).map(group => ({
    survivor: group.survivor,
    pairs: group.pairs.map(({ claim, beside }) => `${claim}-${beside}`),
    more: group.morePairs.map(({ one, other }) => `${one}-${other}`),
  }))

describe('Pairs in groups', () => {
  it('are together where they have a claim in common, around the oldest, the likeliest way to each claim first', () => {
    assert.deepEqual(grouped(pair(5, 3), pair(9, 8), pair(4, 2), pair(5, 2), pair(4, 3)), [
      { survivor: '2', pairs: ['4-2', '5-2', '3-5'], more: ['4-3'] },
      { survivor: '8', pairs: ['9-8'], more: [] },
    ])
    assert.deepEqual(grouped(), [])
  })

  it('are not so many that nobody could look at them, unless all are like one claim', () => {
    const chain = Array.from({ length: 2 * MAX_GROUP }, (_, place) => pair(place + 2, place + 1))
    const all = grouped(...chain)
    assert.ok(all.every(({ pairs }) => pairs.length < MAX_GROUP))
    const star = Array.from({ length: 2 * MAX_GROUP }, (_, place) => pair(place + 2, 1))
    assert.deepEqual(
      grouped(...star).map(({ pairs }) => pairs.length),
      [star.length],
    )
  })

  it('have each pair once, whatever they are', () => {
    const drawn = seededRandom(5)
    const random = (below: number) => Math.floor(drawn() * below)
    for (let round = 0; round < 50; round += 1) {
      const pairs = Array.from({ length: random(80) }, () => pair(1 + random(30), 31 + random(30)))
      const groups = groupPairs(pairs, numberOf)
      const ids = groups.flatMap(group => [...group.pairs.map(one => one.pair), ...group.morePairs].map(({ id }) => id))
      assert.deepEqual(ids.toSorted(), pairs.map(({ id }) => id).toSorted())
      assert.equal(new Set(groups.map(({ survivor }) => survivor)).size, groups.length, 'each has a name of its own')
    }
  })
})
