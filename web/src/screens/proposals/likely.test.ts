import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { likeliestFirst, likelyClaims } from './likely.ts'

const pair = (claim: string, same_as: string, chance: number | null, found_by: string | null = null) => ({
  claim: { reference: claim },
  same_as,
  chance,
  found_by,
})

/** As the service has them: each reached from the oldest claim by the likeliest pair. */
const PAIRS = [
  pair('CLM-117', 'CLM-36', 0.66),
  pair('CLM-62', 'CLM-36', 0.4),
  pair('CLM-43', 'CLM-62', 0.93),
  pair('CLM-50', 'CLM-36', 0.97),
  pair('CLM-51', 'CLM-50', 0.95),
  pair('CLM-52', 'CLM-51', 0.95),
  pair('CLM-53', 'CLM-50', null, 'a judge'),
]

describe('The pairs of a group of claims', () => {
  it('are shown the likeliest first, as groups are ordered by their likeliest pair', () => {
    assert.deepEqual(
      likeliestFirst(PAIRS).map(({ claim }) => claim.reference),
      ['CLM-53', 'CLM-50', 'CLM-51', 'CLM-52', 'CLM-43', 'CLM-117', 'CLM-62'],
    )
  })

  it('have those claims ticked at first that are likely the same as the one that lives on, in any order', () => {
    for (const pairs of [PAIRS, PAIRS.toReversed(), likeliestFirst(PAIRS)])
      assert.deepEqual([...likelyClaims('CLM-36', pairs)].sort(), ['CLM-36', 'CLM-50', 'CLM-51', 'CLM-53'])
  })

  it('go on where a claim that others are like was decided on, and end where pairs go in a circle', () => {
    assert.deepEqual([...likelyClaims('CLM-1', [pair('CLM-3', 'CLM-2', 0.95)])].sort(), ['CLM-1', 'CLM-3'])
    const circle = [pair('CLM-3', 'CLM-4', 0.95), pair('CLM-4', 'CLM-3', 0.95)]
    assert.deepEqual([...likelyClaims('CLM-1', circle)].sort().at(0), 'CLM-1')
  })
})
