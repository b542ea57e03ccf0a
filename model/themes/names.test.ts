import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameOf, quoteOf, rarityOf, tellingWords } from './names.ts'

const INVOICES = [
  'The invoice shows the wrong address of our company.',
  'The address on the invoices is wrong.',
  'Please correct the address on my invoice.',
]
const OTHERS = [
  'Please add a dark mode to the app.',
  'The map of the warehouse loads slowly on my phone.',
  'The photo is wrong.',
]
const telling = tellingWords(INVOICES, rarityOf([...INVOICES, ...OTHERS]))

describe('A theme', () => {
  it('is named by the words that most of its signals have and few others', () => {
    const words = nameOf(INVOICES, telling, () => false)?.split(', ') ?? []
    assert.deepEqual(new Set(words.slice(0, 2)), new Set(['address', 'invoice']))
  })

  it('is not named by what is common in a language, as where few others are in it', () => {
    const german = ['Die Adresse fehlt.', 'Die Adresse und die Stadt fehlen.', 'Wo fehlt die Adresse?']
    const inGerman = tellingWords(german, rarityOf([...german, ...INVOICES, ...OTHERS]))
    const words = nameOf(german, inGerman, word => ['die', 'und', 'wo'].includes(word))?.split(', ') ?? []
    assert.ok(words.includes('Adresse') && !words.includes('die') && !words.includes('Die'), `${words}`)
  })

  it('is not named by a contraction of common words', () => {
    const texts = ["I'd like an invoice.", "I'd need the invoice.", 'I’d rather have no invoice.']
    const words = nameOf(texts, tellingWords(texts, rarityOf([...texts, ...OTHERS])), word => word === 'i') ?? ''
    assert.match(words, /invoice/)
    assert.doesNotMatch(words, /['’]/)
  })

  it('has no name where its signals share no word that others have not', () => {
    assert.equal(
      nameOf(['Hola', 'Guten Tag'], tellingWords(['Hola', 'Guten Tag'], rarityOf(['Hola', 'Guten Tag'])), () => false),
      null,
    )
  })

  it('is told by the sentence that has most of these words, among what the text says itself', () => {
    const text = 'Dear team,\nI hope that you are well. The address on the invoice is wrong. Thank you for your help.'
    const own = 'I hope that you are well.\nThe address on the invoice is wrong.'
    const { start, length } = quoteOf(text, own, telling)
    assert.equal(text.slice(start, start + length), 'The address on the invoice is wrong.')
    const inspected = 'The inspector came: The address on the invoice is wrong. Bye.'
    const whole = quoteOf(inspected, inspected, telling)
    assert.equal(inspected.slice(whole.start, whole.start + whole.length), inspected.slice(0, -' Bye.'.length))
    const elsewhere = quoteOf(text, 'I hope that you are well.', telling)
    assert.equal(text.slice(elsewhere.start, elsewhere.start + elsewhere.length), 'I hope that you are well.')
  })

  it('is told by a sentence below the subject, unless only the subject tells something', () => {
    const quoted = (text: string) => {
      const { start, length } = quoteOf(text, text, telling)
      return text.slice(start, start + length)
    }
    const said = 'Since May the address on each invoice that we get is wrong.'
    assert.equal(quoted(`Invoice address\n\nHello. ${said}`), said)
    assert.equal(quoted('Invoice address\n\nPlease call us back.'), 'Invoice address')
  })
})
