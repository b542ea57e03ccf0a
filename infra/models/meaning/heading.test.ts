import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cosine } from '../../vectors.ts'
import { createBuiltInEmbedder } from '../built-in-embedder.ts'
import { headingOf } from './heading.ts'

const REPORT = 'Steps: open a board with many rows, choose the menu, wait. The build is of last week, on a new laptop.'

test('a heading is a line with a blank one behind it, and no sentence, greeting or single word', () => {
  for (const heading of [
    'The export of large boards hangs',
    'How do I merge two suppliers?',
    '大きなボードの書き出しが途中で止まる',
  ])
    assert.equal(headingOf(`${heading}\n\n${REPORT}`), heading)
  assert.equal(headingOf(`  The export hangs  \r\n \r\n${REPORT}`), 'The export hangs')
  for (const text of [
    'The export of large boards hangs',
    'The export of large boards hangs\n\n  ',
    `The export of large boards\nhangs. ${REPORT}`,
    `The export of large boards hangs.\n\n${REPORT}`,
    `Dear support team and all,\n\n${REPORT}`,
    `Good morning everybody\n\n${REPORT}`,
    `Export\n\n${REPORT}`,
    `${'The export of large boards hangs '.repeat(7)}\n\n${REPORT}`,
  ])
    assert.equal(headingOf(text), null, text)
})

test('who says in a sentence what stands above a long report is nearer to it than to the report alone', async () => {
  const said = 'Ich kann große Tafeln nicht ausgeben, es bleibt einfach stehen.'
  const heading = 'The export of large boards hangs'
  const [own, alone, headed] = await createBuiltInEmbedder().embed([
    said,
    `${heading}. ${REPORT}`,
    `${heading}\n\n${REPORT}`,
  ])
  assert.ok(own && alone && headed)
  assert.ok(cosine(own, headed) > cosine(own, alone) + 0.05, `${cosine(own, headed)} and ${cosine(own, alone)}`)
  assert.ok(Math.abs(cosine(headed, headed) - 1) < 1e-5)
})
