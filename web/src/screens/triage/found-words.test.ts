import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWords, fromFirstMark } from './found-words.ts'

test('words that are looked for are marked where a text has them, or one that begins like them', () => {
  const found = (text: string, query: string) =>
    findWords(text, query).flatMap(({ text: each, mark }) => (mark === null ? [] : [each]))
  assert.deepEqual(found('Exporting large boards: the EXPORT fails', 'export'), ['Exporting', 'EXPORT'])
  assert.deepEqual(found('The export of boards', 'exports board'), ['export', 'boards'])
  assert.deepEqual(found('Die Größe der Œuvres in Łódź', 'grosse oeuvre lodz'), ['Größe', 'Œuvres', 'Łódź'])
  assert.deepEqual(found('Grosse Straße, cafe\u0301', 'Größe strasse café'), ['Grosse', 'Straße', 'cafe\u0301'])
  assert.deepEqual(found('It hangs', 'dark theme'), [])
  assert.deepEqual(findWords('It hangs', '!?'), [{ text: 'It hangs', mark: null }])
})

test('a line begins a little before the first word that was found', () => {
  const text = `${'Some words that say nothing. '.repeat(4)}Then the export fails.`
  const shown = fromFirstMark(findWords(text, 'export'))
    .map(each => each.text)
    .join('')
  assert.match(shown, /^…\S.{0,24}export fails\.$/)
  assert.deepEqual(fromFirstMark(findWords('The export fails', 'export')).length, 3)
  assert.equal(fromFirstMark(findWords(text, 'zebra'))[0]?.text, text)
})
