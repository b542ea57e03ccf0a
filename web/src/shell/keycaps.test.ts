import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keycapsOf } from './keys.ts'

describe('keycapsOf', () => {
  for (const [chord, expected] of [
    ['j', 'J'],
    ['J', 'Shift J'],
    ['shift+ArrowDown', 'Shift ↓'],
    ['mod+a', 'Ctrl A'],
    ['g c', 'G C'],
    ['Escape', 'Esc'],
    ['?', '?'],
    ['1', '1'],
    ['F2', 'F2'],
  ] as const) {
    it(`shows ${chord} as ${expected}`, () => assert.equal(keycapsOf(chord).join(' '), expected))
  }
})
