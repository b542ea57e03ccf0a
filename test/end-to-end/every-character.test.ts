import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBuiltInEmbedder } from '../../infra/models/built-in-embedder.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import { termsOf, titleLength, wordFormsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import { readWording } from '../../model/duplicates/wording/wording.ts'
import { createBuiltInClassifier } from '../../processors/steps/classify/built-in/classifier.ts'
import { partsOf } from '../../processors/steps/classify/built-in/parts.ts'
import { findPersonalData, redact } from '../../processors/steps/scrub/redact.ts'
import { visibleText } from '../../schemas/domain/visible-text.ts'

/** Every index, tokenizer and detector takes every text: a sender's odd character stops none of them. */

const KIND = 1
const textIndex = createTextIndex()
const wordIndex = createWordIndex()
const embedder = createBuiltInEmbedder()
const classifier = createBuiltInClassifier()

/** What the indexes must still find after each text. */
const KNOWN = 'The platypus exports nothing.'
const KNOWN_KEY = textIndex.add(KIND, { text: KNOWN })
wordIndex.add(termsOf(KNOWN))

const inTextIndex = (text: string): void => {
  const key = textIndex.add(KIND, { title: text.slice(0, 200), text })
  textIndex.search({ text, kinds: KIND }, 5)
  textIndex.having({ text, kinds: KIND }, 5)
  assert.equal(textIndex.search({ text: 'platypus', kinds: KIND }, 1)[0]?.key, KNOWN_KEY)
  textIndex.remove(key)
}

let wordKey = 0
const inWordIndex = (text: string): void => {
  wordIndex.add(termsOf(text))
  wordKey += 1
  wordIndex.nearest(termsOf(text), 5)
  wordIndex.nearestTo(wordKey, 5)
  assert.equal(wordIndex.nearest(termsOf(KNOWN), 1)[0]?.key, 0)
  wordIndex.remove(wordKey)
}

const takenByAll = async (text: string): Promise<void> => {
  inTextIndex(text)
  inWordIndex(text)
  wordFormsOf(text)
  assert.ok(titleLength(text) <= text.length)
  readWording(text)
  partsOf(text)
  findPersonalData(text)
  assert.equal(redact(text, new Map()).isWellFormed(), true)
  assert.equal(visibleText(text).isWellFormed(), true)
  const [vector] = await embedder.embed([text])
  assert.ok(vector?.every(Number.isFinite))
  await classifier.classify({ text, event: null })
}

const assigned = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter(point => point < 0xd800 || point > 0xdfff)
  .map(point => String.fromCodePoint(point))
  .filter(character => /\p{Assigned}/u.test(character) && !/\p{Co}/u.test(character))

const BLOCK = 2_000

test('every assigned character of Unicode is taken, among its neighbours', async () => {
  for (let from = 0; from < assigned.length; from += BLOCK)
    await takenByAll(assigned.slice(from, from + BLOCK).join(''))
})

/** How long a text gets that a sender may send, in bytes of UTF-8 that are counted as characters here. */
const MAX_CHARACTERS = 50_000
const LONGEST_FORMS = 4

test('the characters with the longest compatible forms are taken, however often they are repeated', async () => {
  const longest = assigned
    .toSorted((one, other) => other.normalize('NFKD').length - one.normalize('NFKD').length)
    .slice(0, LONGEST_FORMS)
  for (const character of longest) {
    for (const times of [1, 2, 1_821, 10_923, MAX_CHARACTERS]) {
      await takenByAll(character.repeat(times))
      await takenByAll(`${character} `.repeat(times / 2))
    }
  }
})

/** One character of each kind that some reader treats in its own way. */
const KINDS_OF_CHARACTERS = [
  'a',
  'É',
  'ß',
  'İ',
  '7',
  '٣',
  '@',
  '.',
  '+',
  '(',
  ' ',
  '\n',
  '\u0301',
  '\u200d',
  '한',
  '漢',
  'ก',
  '🙂',
  '\u2028',
]

test('one character is taken, however often it is repeated', async () => {
  for (const character of KINDS_OF_CHARACTERS) {
    for (const length of [1, 32_767, 32_768, 32_769, MAX_CHARACTERS]) await takenByAll(character.repeat(length))
  }
})

test('any text is taken', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  const unit = fc.tuple(text, fc.nat(assigned.length - 1), fc.integer({ min: 1, max: 2_000 }))
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { maxLength: 4 }), units =>
      takenByAll(units.map(([before, place, times]) => before + (assigned[place] ?? '').repeat(times)).join('')),
    ),
    { numRuns: 100 },
  )
})
