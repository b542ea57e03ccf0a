import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matching } from './matching.ts'

const marked = (one: string, other: string) =>
  matching(one, other).map(side => side.filter(({ matches }) => matches).map(({ text }) => text))

test('what two texts share is marked in both, in the words of each', () => {
  assert.deepEqual(
    marked('The export of large boards fails with error 500.', 'Exporting a large board fails: error 500!'),
    [
      ['export', 'large boards fails', 'error 500'],
      ['Exporting', 'large board fails', 'error 500'],
    ],
  )
})

test('small words by themselves say nothing', () => {
  assert.deepEqual(marked('It is on the map.', 'The tax is not on it.'), [[], []])
})

test('texts without spaces are compared word by word', () => {
  const [left] = marked('エクスポートが失敗します', 'ボードのエクスポートでエラー')
  assert.deepEqual(left, ['エクスポート'])
})

test('the segments of a side are its text, whatever is in it', () => {
  for (const text of ['', '<b>export</b> \u202eexports', 'x'.repeat(5000), '😀 export 😀']) {
    for (const [side, whole] of [
      [matching(text, 'export')[0], text],
      [matching('export', text)[1], text],
    ] as const) {
      assert.equal(side.map(segment => segment.text).join(''), whole)
    }
  }
})
