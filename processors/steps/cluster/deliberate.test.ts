import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WeighedCandidate } from '../../../model/merges/propose-merges.ts'
import { type ClaimId, newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { type Deliberation, leftToPeople } from './deliberate.ts'

const candidate = (): WeighedCandidate =>
  // What the function does not read is left out.
  ({ signalId: newId<SignalId>(), claimId: newId<ClaimId>() }) as Partial<WeighedCandidate> as WeighedCandidate

const [best, near, no, other] = [candidate(), candidate(), candidate(), candidate()]
const UNASKED = { rejectedBy: null, reason: 'Not asked about.' }

test('where people merge, a yes waits with those that nobody was asked about, and a no stays one', () => {
  const same: Deliberation = {
    kind: 'same',
    candidate: best,
    judge: 'test-judge',
    reason: 'Both tell of it.',
    also: [{ candidate: other, reason: 'It asks about it.' }],
    rejected: [
      { candidate: no, rejectedBy: 'test-judge', reason: 'Different roots.' },
      { candidate: near, ...UNASKED },
    ],
  }
  const left = leftToPeople(same)
  assert.ok(left.kind === 'own')
  assert.deepEqual(
    left.rejected.map(({ candidate, rejectedBy, confirmedBy }) => [candidate, rejectedBy, confirmedBy]),
    [
      [best, null, 'test-judge'],
      [other, null, 'test-judge'],
      [no, 'test-judge', undefined],
      [near, null, undefined],
    ],
  )
})

test('what is no yes is left as it is', () => {
  const own: Deliberation = { kind: 'own', rejected: [{ candidate: near, ...UNASKED }] }
  assert.equal(leftToPeople(own), own)
})
