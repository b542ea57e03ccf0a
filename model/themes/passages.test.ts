import assert from 'node:assert/strict'
import { it } from 'node:test'
import { passagesOf } from './passages.ts'

const textsOf = (text: string) => passagesOf(text).map(passage => passage.text)

it('A line is a label and its value only where up to sixteen words are before the colon, and it is no time', () => {
  assert.deepEqual(textsOf('Version: 2.1'), ['Version:', '2.1'])
  assert.deepEqual(textsOf('Where did it happen: in the shop'), ['Where did it happen:', 'in the shop'])
  assert.deepEqual(textsOf('Today I write to you about the following: the pump stops.'), [
    'Today I write to you about the following:',
    'the pump stops.',
  ])
  for (const sentence of [
    'Someone ordered 60 croissants at 23:00 and nobody saw it.',
    'At 23:00 it stops.',
    `${'The inspector of the town was '.repeat(3)} here: we could not show the list.`,
  ])
    assert.deepEqual(textsOf(sentence), [sentence])
})
