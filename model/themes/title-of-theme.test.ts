import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { titlesOf } from '../claims/titles.ts'
import { INVOICES, mailOf } from './testing.ts'
import { tellingSentence } from './title-of-theme.ts'

describe('The sentence that says most of a theme', () => {
  it('has most of its words, whatever their endings, and is the surest of those that have as many', () => {
    assert.equal(tellingSentence('invoices, address, wrong', ['We wait.', ...INVOICES]), INVOICES[0])
  })

  it('is none where no text has any of the words', () => {
    assert.equal(tellingSentence('barcode', INVOICES), null)
    assert.equal(tellingSentence('', INVOICES), null)
  })

  it('is a title that its text can give a claim, so that an erasure finds it', () => {
    const long = `${'The invoice of the depot in the north of the town is wrong and '.repeat(4)}late.`
    for (const text of [...INVOICES, long, mailOf('Nobody can sign in on the tablet of the warehouse.', 3)]) {
      const title = tellingSentence('invoice, tablet, rechnung, facture', [text])
      assert.ok(title !== null && titlesOf(text).includes(title) && title.length <= 121, `${title}`)
    }
  })
})
