import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '../../../model/claims/find-candidates.ts'
import { type ClaimId, newId, type SignalId } from '../../../schemas/domain/ids.ts'
import { type Deliberation, leftToPeople } from './deliberate.ts'

const candidate = (rank: number, similarity: number): Candidate =>
  // What the function does not read is left out.
  ({
    signalId: newId<SignalId>(),
    claimId: newId<ClaimId>(),
    wordsRank: rank,
    vectorsRank: rank,
    similarity,
  }) as Partial<Candidate> as Candidate

const [best, near, far, no] = [candidate(1, 0.9), candidate(2, 0.5), candidate(40, 0.1), candidate(30, 0.2)]
const UNASKED = { refusedBy: null, reason: 'Not asked about.' }

test('where people merge, a yes waits with those that would wait without a judge, and a no stays one', () => {
  const same: Deliberation = {
    kind: 'same',
    candidate: best,
    judge: 'test-judge',
    reason: 'Both tell of it.',
    rejected: [
      { candidate: no, refusedBy: 'test-judge', reason: 'Different roots.' },
      { candidate: near, ...UNASKED },
      { candidate: far, ...UNASKED },
    ],
  }
  const left = leftToPeople(same)
  assert.ok(left.kind === 'own')
  assert.deepEqual(
    left.unmerged.map(({ candidate, refusedBy, foundBy }) => [candidate, refusedBy, foundBy]),
    [
      [best, null, 'test-judge'],
      [no, 'test-judge', undefined],
      [near, null, undefined],
    ],
  )
})

test('what is no yes is left as it is', () => {
  const own: Deliberation = { kind: 'own', unmerged: [{ candidate: far, ...UNASKED }] }
  assert.equal(leftToPeople(own), own)
})
