import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { textsOf } from './use-node.ts'

describe('the texts of a node', () => {
  it('are joined from the pieces that they come in, as they are', () => {
    const pieces = [
      { kind: 'description', number: 0, text: 'Getting data ' },
      { kind: 'description', number: 0, text: 'out.' },
      { kind: 'example', number: 1, text: 'It hangs.' },
      { kind: 'example', number: 2, text: ' It is ' },
      { kind: 'example', number: 2, text: 'slow. ' },
    ] as const
    assert.deepEqual(textsOf('Exports', pieces), {
      name: 'Exports',
      description: 'Getting data out.',
      examples: ['It hangs.', ' It is slow. '],
    })
  })

  it('are nothing where nobody wrote any, and examples without a description stay examples', () => {
    assert.deepEqual(textsOf('CSV', []), { name: 'CSV', description: '', examples: [] })
    assert.deepEqual(textsOf('CSV', [{ kind: 'example', number: 1, text: 'csv' }]).examples, ['csv'])
  })
})
