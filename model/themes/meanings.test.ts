import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { collectMeanings } from './meanings.ts'

/** A vector of length 1 of which only some numbers are not 0. */
const pointing = (numbers: Readonly<Record<number, number>>): Float32Array => {
  const vector = new Float32Array(EMBEDDING_DIMENSIONS)
  const length = Math.hypot(...Object.values(numbers))
  for (const [place, value] of Object.entries(numbers)) vector[Number(place)] = value / length
  return vector
}

/** Six topics, each in two languages: a topic points to 1 to 6, a language to 10 or 11, everything to 0. */
const texts = [1, 2, 3, 4, 5, 6].flatMap(topic =>
  [10, 11].map(language => ({
    language: `language ${language}`,
    vector: pointing({ 0: 2, [topic]: 1, [language]: 2 }),
  })),
)
const meaningsOf = (languageOf: (one: (typeof texts)[number]) => string | null) => {
  const meanings = collectMeanings(texts.length)
  for (const one of texts) meanings.add(one.vector, languageOf(one))
  return meanings.done()
}

describe('Meanings of texts in two languages', () => {
  it('find the topic in the other language nearer than another topic in their own', async () => {
    const blind = await meaningsOf(() => null)
    const told = await meaningsOf(({ language }) => language)
    assert.ok(blind.cosine(0, 1) < blind.cosine(0, 2))
    assert.ok(told.cosine(0, 1) > told.cosine(0, 2))
  })

  it('say the mean of each language, which gives a new text the same direction', async () => {
    const meanings = await meaningsOf(({ language }) => language)
    assert.deepEqual([...meanings.means.keys()], ['language 10', 'language 11'])
    const mean = meanings.means.get('language 10') ?? assert.fail()
    const [first] = texts
    const without = Float64Array.from(first?.vector ?? [], (value, place) => value - (mean[place] ?? 0))
    const length = Math.hypot(...without)
    const direction = meanings.direction(0)
    for (const [place, value] of without.entries())
      assert.ok(Math.abs(value / length - (direction[place] ?? 0)) < 0.02, `${place}`)
  })

  it('leave a language of four texts as it is', async () => {
    const meanings = await meaningsOf(one => (texts.indexOf(one) < 8 ? one.language : null))
    assert.equal(meanings.means.size, 0)
  })
})
