import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reasonOfPair, sharedWords, unjudgedReason } from './pair-reason.ts'

const SMALL = new Set(['please', 'dear', 'team', 'thanks', 'with'])
const isCommon = (word: string) => SMALL.has(word.toLowerCase())
const reason = (one: string, other: string, isByMeaning = false) =>
  reasonOfPair(unjudgedReason(isByMeaning), { one, other, isCommon })

describe('Why a pair was proposed', () => {
  it('names the words that say most of what both have, as the one writes them', () => {
    assert.equal(
      reason('The export of invoices times out.', 'Exporting one invoice ends in a timeout'),
      'In both: invoices, export.',
    )
    assert.equal(reason('Error 4711 on the tablet', 'tablet: 4711 again'), 'In both: tablet, 4711.')
  })

  it('names no word of politeness, and none that many signals have', () => {
    const [one, other] = ['Dear team, please help with refunds. Thanks', 'Dear team, refunds please! Thanks']
    assert.equal(reason(one, other), 'In both: refunds.')
    assert.deepEqual(
      sharedWords(one, other, word => isCommon(word) || word === 'refunds'),
      [],
    )
  })

  it('says what made them alike where no word tells: what they mean, or words that many have', () => {
    const [one, other] = ['Die Rechnung fehlt.', 'The invoice is missing.']
    assert.equal(reason(one, other, true), 'The two mean much the same, in other words.')
    assert.equal(reason(one, other), 'They share only words that many signals have.')
  })

  it('leaves a judge’s words, and a person’s, as they are', () => {
    const texts = { one: 'Exports fail', other: 'Exports hang', isCommon }
    for (const words of ['Both are about the same timeout.', 'They are different.'])
      assert.equal(reasonOfPair(words, texts), words)
  })

  it('has one percentage, no judge and no setting in any reason', () => {
    for (const isByMeaning of [true, false])
      for (const other of ['Exports hang', 'Nothing alike'])
        assert.doesNotMatch(reason('Exports fail', other, isByMeaning), /judge|configur|%|root problem/i)
  })
})
