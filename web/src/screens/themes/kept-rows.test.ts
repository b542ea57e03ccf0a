import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inOrderSeen, membersShown } from './kept-rows.ts'
import type { Member } from './member-piece.tsx'
import { memberForTests as member } from './testing.ts'

const numbers = (members: readonly Member[]) => members.map(({ reference }) => reference)

describe('Rows that a person is at work on', () => {
  it('keep their order and stay when they are read anew, and new ones come after them', () => {
    const seen = [1, 2, 3].map(number => member(number))
    const read = [member(4), member(3), member(1, { claim: 'CLM-1' })]
    const shown = inOrderSeen(seen, read)
    assert.deepEqual(numbers(shown), ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4'])
    assert.equal(shown[0]?.claim, 'CLM-1', 'and say what is known of them by now')
  })

  it('are the members that were seen, where they were, though the theme was found anew', () => {
    const kept = { members: [member(1), member(2), member(3, { is_doubtful: true })], pages: 1 }
    const shown = membersShown(kept, [[member(3), member(9), member(1, { is_doubtful: true, claim: 'CLM-1' })]])
    assert.deepEqual(
      shown.map(({ reference, is_doubtful, claim }) => [reference, is_doubtful, claim]),
      [
        ['SIG-1', false, 'CLM-1'],
        ['SIG-2', false, null],
        ['SIG-3', true, null],
      ],
    )
  })

  it('have a page after them that the person asks for', () => {
    const kept = { members: [member(1), member(2)], pages: 1 }
    const shown = membersShown(kept, [
      [member(1), member(7)],
      [member(2), member(8)],
    ])
    assert.deepEqual(numbers(shown), ['SIG-1', 'SIG-2', 'SIG-8'])
  })

  it('have behind them what the person has added, and nothing else that came', () => {
    const kept = { members: [member(1), member(2)], pages: 1 }
    const [own, others] = [member(7), member(8)]
    const shown = membersShown(kept, [[member(1), own, others]], new Set([own.signal_id]))
    assert.deepEqual(numbers(shown), ['SIG-1', 'SIG-2', 'SIG-7'])
  })
})
