import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuiltInEmbedder } from '../../../../infra/models/built-in-embedder.ts'
import { TUNING } from '../labelled.testing.ts'
import { createBuiltInClassifier } from './classifier.ts'
import file from './meaning.json' with { type: 'json' }
import { meaningScores, meaningsOf } from './meaning.ts'
import { trainMeaning } from './train-meaning.ts'

test('the weights are those of our own labelled texts, and of the embedder that there is', async () => {
  assert.deepEqual(await trainMeaning(TUNING), file)
})

test('a vector that the pipeline has says what the text says', async () => {
  const classifier = createBuiltInClassifier()
  const texts = ['The sum at the end of the page is off', 'அறிக்கைகளை ஏற்றுமதி செய்வது', '👍', '', 'Jak změním heslo?']
  const vectors = await createBuiltInEmbedder().embed(texts)
  for (const [at, text] of texts.entries()) {
    const vector = vectors[at]
    assert.ok(vector)
    const [by, without] = await Promise.all([
      classifier.classify({ text, event: null, vector }),
      classifier.classify({ text, event: null }),
    ])
    assert.deepEqual(by, without, text)
  }
})

test('a text that is compared by its spelling, or has no letter, means nothing', async () => {
  const texts = ['', '?', '12345', '👍', 'தமிழ்', 'அறிக்கைகளை விரிதாளுக்கு எவ்வாறு ஏற்றுமதி செய்வது?']
  const meanings = await meaningsOf(texts.map(text => ({ text, event: null })))
  for (const [at, text] of texts.entries()) assert.equal(meanings[at], null, text)
})

test('what no word says, meaning does', async () => {
  const kindOf = async (text: string): Promise<number> => {
    const [meaning] = await meaningsOf([{ text, event: null }])
    assert.ok(meaning)
    const scores = meaningScores(meaning)
    return scores.indexOf(Math.max(...scores))
  }
  assert.equal(await kindOf('Nothing shows up on my screen after the update'), 0)
  assert.equal(await kindOf('A calendar on the start page would make my day'), 1)
  assert.equal(await kindOf('To whom do I turn for an invoice?'), 2)
  assert.equal(await kindOf('You made my week, marvellous'), 3)
})
