import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptCuts, MAX_CUT_CHARACTERS } from './kept-cuts.ts'

test('each kind is kept once, its pieces in their order', () => {
  assert.deepEqual(
    keptCuts([
      { kind: 'quoted', text: 'Which export?' },
      { kind: 'signature', text: 'Kim' },
      { kind: 'quoted', text: 'And since when?\n' },
      { kind: 'footer', text: ' \n' },
    ]),
    {
      cuts: [
        { kind: 'signature', text: 'Kim' },
        { kind: 'quoted', text: 'Which export?\n\nAnd since when?' },
      ],
      cut_omitted: 0,
    },
  )
  assert.deepEqual(keptCuts([]), { cuts: [], cut_omitted: 0 })
})

test('what is too long ends where there is no room for more, and it is counted what is missing', () => {
  const most = '👍'.repeat(MAX_CUT_CHARACTERS - 3)
  assert.deepEqual(
    keptCuts([
      { kind: 'footer', text: 'Unsubscribe' },
      { kind: 'quoted', text: `${most}x` },
      { kind: 'signature', text: 'Kim' },
    ]),
    {
      cuts: [
        { kind: 'signature', text: 'Kim' },
        { kind: 'quoted', text: most },
      ],
      cut_omitted: 1 + 'Unsubscribe'.length,
    },
  )
})

test('a mail whose every character is written as six stays below what the log takes', () => {
  const { cuts } = keptCuts([{ kind: 'quoted', text: '\u0001'.repeat(2 * MAX_CUT_CHARACTERS) }])
  const text = '\u0001'.repeat(50_000)
  assert.ok(Buffer.byteLength(JSON.stringify({ text, cuts })) < 0.9 * 1_048_576)
})
