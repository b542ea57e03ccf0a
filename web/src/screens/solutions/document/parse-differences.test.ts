import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseDifferences } from './parse-differences.ts'

it('reads a unified diff with the numbers of its lines', () => {
  const read = parseDifferences('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n@@ -9,1 +9,2 @@\n nine\n+ten')
  assert.deepEqual(
    read.map(({ kind, text, number }) => `${kind} ${number} ${text}`),
    [
      'place null Line 1',
      'kept 1 one',
      'removed 2 two',
      'added 2 2',
      'kept 3 three',
      'place null Line 9',
      'kept 9 nine',
      'added 10 ten',
    ],
  )
  assert.deepEqual(parseDifferences(''), [])
})

it('takes a line of the document that looks like a place or a mark for the text that it is', () => {
  const [, line, mark] = parseDifferences('@@ -1,1 +1,2 @@\n @@ -5 +5 @@\n+-- a')
  assert.deepEqual([line?.kind, line?.text], ['kept', '@@ -5 +5 @@'])
  assert.deepEqual([mark?.kind, mark?.text], ['added', '-- a'])
})
