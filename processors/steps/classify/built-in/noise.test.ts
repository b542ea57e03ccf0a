import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING } from '../../../../model/signals/says-nothing.ts'
import { HELD_OUT } from '../labelled.testing.ts'
import { createBuiltInClassifier } from './classifier.ts'
import file from './noise.json' with { type: 'json' }
import { NEEDS_AND_NOISE, trainNoise } from './train-noise.ts'

const classifier = createBuiltInClassifier()
const noiseOf = async (text: string) => (await classifier.read({ text, event: null })).noise

test('the weights are those of our own texts, and of the embedder that there is', async () => {
  assert.deepEqual(await trainNoise(NEEDS_AND_NOISE), file)
})

test('no text is both a need and noise', () => {
  const isNoise = new Map<string, boolean>()
  for (const { text, isNoise: is } of NEEDS_AND_NOISE) {
    assert.equal(isNoise.get(text) ?? is, is, text)
    isNoise.set(text, is)
  }
})

test('of texts that it was not fitted on, what is left unclassified asks for nothing or speaks of a need', async () => {
  const told = await Promise.all(
    HELD_OUT.map(async ({ text, event = null, label: truth }) => {
      const { label, confidence } = await classifier.classify({ text, event })
      return { truth, isNoise: label === 'unclassified' && confidence > NOTHING, isLeft: label === 'unclassified' }
    }),
  )
  const left = told.filter(({ isLeft }) => isLeft)
  assert.ok(left.length >= 40)
  const needs = left.filter(({ truth }) => truth === 'problem' || truth === 'idea')
  const noise = left.filter(({ truth }) => truth === 'unclassified')
  assert.ok(needs.filter(({ isNoise }) => isNoise).length <= 3)
  assert.ok(noise.filter(({ isNoise }) => isNoise).length / noise.length >= 0.8)
})

test('a text that has no letter asks for nothing, and of one that means nothing to the embedder nobody can tell', async () => {
  for (const text of ['?', '...', '12345', '👍', '']) assert.equal(await noiseOf(text), 1, text)
  for (const text of ['தமிழ்', 'როგორ']) {
    assert.equal(await noiseOf(text), null, text)
    const { label, version, perhaps } = await classifier.classify({ text, event: null })
    assert.deepEqual([label, version, perhaps], ['unclassified', `${classifier.version}/unknown-language`, null])
  }
})

test('hardly a need is noise under the name of the form that it came by', async () => {
  const needs = HELD_OUT.filter(({ label, text }) => label !== 'unclassified' && text.split(' ').length > 4)
  const lost = async (before: string) =>
    (await Promise.all(needs.map(({ text }) => noiseOf(before + text)))).filter(noise => (noise ?? 0) > NOTHING).length
  const alone = await lost('')
  for (const form of ['Anfrage über Kontaktformular', 'Formulario de contacto', 'Message from our website'])
    assert.ok((await lost(`${form}\n\n`)) <= alone, form)
})

test('a greeting, thanks and an errand ask for nothing; a wish and a complaint in plain words do', async () => {
  for (const text of [
    'Hello there',
    'Vielen Dank!',
    'Je suis en vacances jusqu’à lundi.',
    'Please send the invoice again',
  ])
    assert.ok(((await noiseOf(text)) ?? 0) > NOTHING, text)
  for (const text of [
    'Please raise the maximum size of files',
    'Das API-Limit reicht für unsere Synchronisation nicht',
    'Counted nine boxes and the list says eleven',
  ])
    assert.ok(((await noiseOf(text)) ?? 1) < 0.5, text)
})
