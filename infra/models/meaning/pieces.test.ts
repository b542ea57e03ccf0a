import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalForm } from './normal-form.ts'
import { createPieces, type Piece } from './pieces.ts'

const PIECES: readonly Piece[] = [
  { text: '▁', score: -3 },
  { text: 'ex', score: -5 },
  { text: 'port', score: -5 },
  { text: '▁export', score: -7 },
  { text: 's', score: -4 },
  { text: 'ports', score: -8.5 },
  { text: '😀', score: -6 },
]
const known = createPieces(PIECES)
const cut = (text: string) => known.cut(text).rows.map(row => PIECES[row]?.text)

test('a text is cut where its pieces are the likeliest together', () => {
  assert.deepEqual(cut('export'), ['▁export'])
  assert.deepEqual(cut('exports'), ['▁export', 's'])
  assert.deepEqual(cut('reports'), ['▁', 'ports'])
  assert.deepEqual(cut(' export\n\tEXPORT '), ['▁export', '▁export'])
})

test('a character that no piece has is left out, of two units as well', () => {
  assert.deepEqual(cut('s😀s'), ['▁', 's', '😀', 's'])
  assert.deepEqual(cut('s🦀s'), ['▁', 's', 's'])
  assert.deepEqual(cut(' \n'), [])
  assert.equal(known.cut('s🦀 s').unknownShare, 1 / 4)
  assert.equal(known.cut('').unknownShare, 0)
})

test('what is cut is the whole text again', () => {
  const known = fc.string({ unit: fc.constantFrom('ex', 'port', 's', ' ', '😀') })
  fc.assert(fc.property(known, text => assert.equal(cut(text).join(''), normalForm(text))))
})

for (const [text, normal] of [
  ['ﬁle № １', '▁file▁no▁1'],
  ['A\u3000b\r\n', '▁a▁b'],
  ['E\u0301', '▁é'],
  ['\ufeff x', '▁x'],
  [' \n', ''],
  ['', ''],
] as const) {
  test(`'${text}' is read as '${normal}'`, () => assert.equal(normalForm(text), normal))
}
