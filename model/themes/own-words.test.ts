import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ownWords } from './own-words.ts'
import { passagesOf } from './passages.ts'

const NEEDS = [
  'The export of invoices stops after four hundred rows.',
  'Drivers want a larger font on the packing list.',
  'Nobody can sign in on the tablet of the warehouse.',
  'Please translate the portal into Portuguese for our new branch.',
]

describe('What a text says itself', () => {
  it('is without greetings, labels of forms, signatures and disclaimers that unlike texts share', async () => {
    const texts = NEEDS.map(
      (need, at) => `Hello team,\nPlan: ${at}\nRequest: ${need}\n--\nSent from my phone. Do not pass this message on.`,
    )
    assert.deepEqual((await ownWords(texts)).own, NEEDS)
  })

  it('is without the half of a sentence that a template begins with, and keeps one that is nobody else’s', async () => {
    const texts = NEEDS.map(need => `We have been a customer since 2019. Today I write to you about this: ${need}`)
    assert.deepEqual((await ownWords([...texts, 'One thing bothers us all: it rains in.'])).own, [
      ...NEEDS,
      'One thing bothers us all: it rains in.',
    ])
  })

  it('is all of it where copies share it', async () => {
    const [need = ''] = NEEDS
    const copies = [need, `${need} Please advise.`, `${need} Thanks!`, `${need} It is urgent.`]
    assert.deepEqual(
      (await ownWords(copies)).own.map(text => text.split('\n')[0]),
      copies.map(() => need),
    )
  })

  it('is all of it where only two texts share it', async () => {
    const texts = NEEDS.slice(0, 2).map(need => `Hello team,\n${need}`)
    assert.deepEqual((await ownWords(texts)).own, texts)
  })

  it('is read to 4,000 characters, however they are divided', async () => {
    assert.equal(passagesOf('a '.repeat(100_000)).length, 1)
    assert.ok(passagesOf('a.\n'.repeat(100_000)).length <= 80)
    assert.ok(passagesOf(`${'a'.repeat(39)}: `.repeat(50_000)).length <= 80)
  })
})
