import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownWords } from './own-words.ts'
import { ownBeginning, ownPart, ownSentence, passageHashes } from './shared-passages.ts'
import { mailOf, NEEDS_SAID_TWICE } from './testing.ts'

const NEEDS = NEEDS_SAID_TWICE.map(([need]) => need)
const MAILS = NEEDS.map(mailOf)
const shared = async () => new Set(passageHashes((await ownWords(MAILS)).shared))

describe('What unlike signals share', () => {
  it('is cut from a text, which begins where it says something itself', async () => {
    const passages = await shared()
    for (const [at, mail] of MAILS.entries()) {
      const need = NEEDS[at] ?? ''
      assert.ok(mail.slice(ownBeginning(mail, passages)).startsWith(need))
      assert.equal(ownPart(mail, passages), `…${need} …`)
    }
  })

  it('leaves what only one has, in the middle of the rest too', async () => {
    const passages = await shared()
    const [first = ''] = MAILS
    const longer = first.replace(
      'Kind regards,',
      'It began on Monday.\nKind regards,\nPS: The ledger of last year is fine.\n',
    )
    assert.equal(
      ownPart(longer, passages),
      `…${NEEDS[0]}\nIt began on Monday. … PS: The ledger of last year is fine. …`,
    )
  })

  it('leaves a text that has nothing else, one that shares nothing, and all where nothing is known', async () => {
    const passages = await shared()
    const nothing = mailOf('', 1)
    assert.equal(ownPart(nothing, passages), nothing)
    assert.equal(ownBeginning('Please add a dark mode.', passages), 0)
    assert.equal(ownPart('Please add a dark mode.', passages), 'Please add a dark mode.')
    assert.equal(ownPart(MAILS[0] ?? '', new Set()), MAILS[0])
  })

  it('is no sentence of a title, and of a line of a form only the label goes', async () => {
    const ownOf = ownSentence(await shared())
    assert.equal(ownOf('Kind regards,'), '')
    assert.equal(ownOf('Message: The clock is late.'), 'The clock is late.')
    assert.equal(ownOf('The clock is late.'), 'The clock is late.')
  })
})
