import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './parts-of.ts'

const cut = (text: string, ...names: string[]) => partsOf(text, names).map(({ kind, part }) => `${kind}: ${part}`)

test('references and those who are named stand out, the rest stays as it is', () => {
  assert.deepEqual(cut('@Ada Lovelace, see sol-2.', 'Ada Lovelace'), [
    'name: @Ada Lovelace',
    'text: , see ',
    'reference: sol-2',
    'text: .',
  ])
  assert.deepEqual(cut('@ada <b>XSOL-2</b>', 'Ada Lovelace'), ['name: @ada', 'text:  <b>XSOL-2</b>'])
  assert.deepEqual(cut('@Grace (a.*)'), ['text: @Grace (a.*)'])
  assert.deepEqual(cut('@A.* @Ab', 'A.*'), ['name: @A.*', 'text:  @Ab'])
})
