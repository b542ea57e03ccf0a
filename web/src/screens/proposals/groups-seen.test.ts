import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupsShown } from './groups-seen.ts'
import type { MergeGroup } from './likely.ts'

type Claim = MergeGroup['survivor']

/** Claims and pairs with what identifies them alone: nothing else of them is read here. */
const claim = (reference: string, text = ''): Claim => ({ id: reference, reference, text }) as Claim
const group = (survivor: string, others: readonly string[], text = ''): MergeGroup =>
  ({
    survivor: claim(survivor, text),
    pairs: others.map(other => ({ id: `${other}/${survivor}`, claim: claim(other, text), same_as: survivor })),
    more_pairs: [],
    count: others.length,
  }) as unknown as MergeGroup

const said = (groups: readonly MergeGroup[]) =>
  groups.map(({ survivor, pairs }) => [survivor.reference, ...pairs.map(({ claim: { reference } }) => reference)])

describe('The proposed merges that somebody looks at', () => {
  const seen = [group('CLM-1', ['CLM-3', 'CLM-2']), group('CLM-5', ['CLM-6'])]
  const order = ['CLM-1', 'CLM-5']
  const [held = null] = seen

  it('stay in their order, with what is new after them', () => {
    const read = [group('CLM-8', ['CLM-9']), group('CLM-5', ['CLM-6']), group('CLM-1', ['CLM-3', 'CLM-2'])]
    assert.deepEqual(said(groupsShown(read, order, null)), [
      ['CLM-1', 'CLM-3', 'CLM-2'],
      ['CLM-5', 'CLM-6'],
      ['CLM-8', 'CLM-9'],
    ])
  })

  it('take no pair into the group that is worked on, and no other order of its pairs; its words are those of now', () => {
    const read = [group('CLM-1', ['CLM-4', 'CLM-2', 'CLM-3'], 'Now'), group('CLM-5', ['CLM-6'])]
    const [first] = groupsShown(read, order, held)
    assert.deepEqual(said(first ? [first] : []), [['CLM-1', 'CLM-3', 'CLM-2']])
    assert.deepEqual([first?.survivor.text, first?.pairs[0]?.claim.text], ['Now', 'Now'])
  })

  it('keep the group where an older claim has joined it, whose pair is one of its own', () => {
    const joined = { ...group('CLM-0', ['CLM-1']), pairs: [...group('CLM-0', ['CLM-1']).pairs, ...(held?.pairs ?? [])] }
    assert.deepEqual(said(groupsShown([joined], order, held)), [
      ['CLM-1', 'CLM-3', 'CLM-2'],
      ['CLM-0', 'CLM-1'],
    ])
  })

  it('keep the place of the group that others have decided on, without a pair', () => {
    assert.deepEqual(said(groupsShown(seen.slice(1), order, held)), [['CLM-1'], ['CLM-5', 'CLM-6']])
  })
})
