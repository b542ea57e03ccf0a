import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimId, ProposalId } from '../../schemas/domain/ids.ts'
import { planMerges } from './merge-claims.ts'

/** A claim is named by its number here, a proposal by its place. */
const plan = (pairs: readonly (readonly [number, number])[], wanted: number | null = null) =>
  planMerges(
    pairs.map(([one, other], place) => ({
      proposalId: `p${place}` as ProposalId,
      claims: [`${one}` as ClaimId, `${other}` as ClaimId],
    })),
    Number,
    wanted === null ? null : (`${wanted}` as ClaimId),
  ).map(({ proposalId, merged, survivor }) => `${proposalId}: ${merged} into ${survivor}`)

for (const [what, pairs, wanted, merges] of [
  ['a pair becomes the older claim', [[2, 1]], null, ['p0: 2 into 1']],
  ['whichever way round it was proposed', [[1, 2]], null, ['p0: 2 into 1']],
  ['or the claim that is asked for', [[2, 1]], 2, ['p0: 1 into 2']],
  [
    'a star becomes its oldest claim',
    [
      [2, 1],
      [3, 1],
    ],
    null,
    ['p0: 2 into 1', 'p1: 3 into 1'],
  ],
  [
    'a chain is merged straight into one claim, on the proposals that connect it',
    [
      [4, 3],
      [3, 2],
      [2, 1],
    ],
    null,
    ['p2: 2 into 1', 'p1: 3 into 1', 'p0: 4 into 1'],
  ],
  [
    'any claim of a group can live on',
    [
      [2, 1],
      [3, 1],
    ],
    3,
    ['p1: 1 into 3', 'p0: 2 into 3'],
  ],
  [
    'pairs without a claim in common stay apart',
    [
      [2, 1],
      [4, 3],
    ],
    null,
    ['p0: 2 into 1', 'p1: 4 into 3'],
  ],
  [
    'a pair that others connect already adds nothing',
    [
      [2, 1],
      [3, 1],
      [3, 2],
    ],
    null,
    ['p0: 2 into 1', 'p1: 3 into 1'],
  ],
  ['two claims that are one already need no merge', [[1, 1]], null, []],
] as const) {
  test(`confirmed together: ${what}`, () => assert.deepEqual(plan(pairs, wanted), merges))
}
