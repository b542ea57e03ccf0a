import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLAIM_KINDS, CLAIM_STATES, SIGNAL_STATES, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { explanationOf, WORDS } from './words-explained.ts'

describe('The words of headings and states', () => {
  it('are each explained once, in one or two short sentences', () => {
    const names = WORDS.flatMap(each => each.names)
    assert.deepEqual(
      names.filter((name, place) => names.indexOf(name) !== place),
      [],
    )
    for (const { about } of WORDS) assert.match(about, /^.{15,200}\.$/)
  })

  it('are those that newcomers ask about, and every state of a signal, a claim and a Solution', () => {
    const asked = [
      'Node',
      'Actor',
      'Evidence priority',
      'Boost',
      'Handoffs',
      'Judge',
      ...SIGNAL_STATES,
      ...CLAIM_STATES,
      ...CLAIM_KINDS,
      ...SOLUTION_STATES,
      'Origin',
      'Confidence',
    ]
    assert.deepEqual(
      asked.filter(name => explanationOf(name) === undefined),
      [],
    )
  })

  it('are found with a number behind them, and not in what people wrote', () => {
    assert.equal(explanationOf('Evidence 1,206'), explanationOf('Evidence'))
    assert.equal(explanationOf('Evidence of trouble'), undefined)
  })
})
