import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matching, type SpanMark } from './matching.ts'

const marked = (one: string, other: string, as: SpanMark = 'shared') =>
  matching(one, other).map(side => side.filter(({ mark }) => mark === as).map(({ text }) => text))

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

test('a number or a name that one has alone is told from its other words', () => {
  const [one, other] = [
    'Since version 7.10 the map is blank on iOS in Firefox.',
    'Since version 7.12 the map stays empty on Android.',
  ]
  assert.deepEqual(marked(one, other, 'differs'), [
    ['7.10', 'iOS', 'Firefox'],
    ['7.12', 'Android'],
  ])
  assert.deepEqual(marked(one, other, 'own'), [['blank'], ['stays', 'empty']])
  assert.deepEqual(marked('Error 100001 again', 'Error 100002 again', 'differs'), [['100001'], ['100002']])
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
