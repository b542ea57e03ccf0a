import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { identify } from './identity.ts'

const theme = (id: string, signals: string, is_settled = false) => ({ id, signals: signals.split(' '), is_settled })
const found = (signals: string) => ({ signals: signals.split(' ') })

describe('A theme', () => {
  it('is the one of before while half of its signals are, whatever came or went', () => {
    const { continuedIds, splitFrom, became } = identify(
      [theme('A', 'a b c d'), theme('B', 'e f g')],
      [found('a b x y z'), found('e f g h i j k l m n'), found('o p q')],
    )
    assert.deepEqual([continuedIds, splitFrom, [...became]], [['A', 'B', null], [null, null, null], []])
  })

  it('of which there are two goes on as the larger, and the other says what it split from', () => {
    const { continuedIds, splitFrom } = identify([theme('A', 'a b c d e f')], [found('a b x'), found('c d e f')])
    assert.deepEqual(
      [continuedIds, splitFrom],
      [
        [null, 'A'],
        ['A', null],
      ],
    )
  })

  it('that is found with another ends, and says what it became', () => {
    const { continuedIds, became } = identify([theme('A', 'a b c'), theme('B', 'd e f g')], [found('a b c d e f g')])
    assert.deepEqual([continuedIds, [...became]], [['B'], [['A', 0]]])
  })

  it('whose signals are in no theme, or in many, ends and became none', () => {
    const { continuedIds, splitFrom, became } = identify(
      [theme('A', 'a b c'), theme('B', 'd e f g h')],
      [found('d i j k'), found('e l m n')],
    )
    assert.deepEqual([continuedIds, splitFrom, [...became]], [[null, null], [null, null], []])
  })

  it('that people named or moved goes on where it is joined with a larger one', () => {
    const { continuedIds, became } = identify(
      [theme('A', 'a b c', true), theme('B', 'd e f g')],
      [found('a b c d e f g')],
    )
    assert.deepEqual([continuedIds, [...became]], [['A'], [['B', 0]]])
  })

  it('that signals were confirmed of is itself, whatever else is in it', () => {
    const { continuedIds, splitFrom } = identify(
      [theme('A', 'a b c'), theme('B', 'd e f g')],
      [{ id: 'A', signals: ['a', 'd', 'e', 'f', 'g'] }, found('b c x')],
    )
    assert.deepEqual(
      [continuedIds, splitFrom],
      [
        ['A', null],
        [null, 'A'],
      ],
    )
  })

  it('is new where there was none', () => {
    assert.deepEqual(identify([], [found('a b c')]), {
      continuedIds: [null],
      splitFrom: [null],
      became: new Map(),
      successors: new Map(),
    })
  })
})
