import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noiseBeside, saidOf } from './leaning.ts'
import { NOTHING, saysNothing, UNKNOWN_LANGUAGE } from './says-nothing.ts'

const unsure = (problem: number, idea: number, question = 0.1) => ({
  label: 'unclassified' as const,
  confidence: 0.7,
  likely: [problem, idea, question, 1 - problem - idea - question],
})

test('what no label is likely enough of is noise, or speaks of the likelier need: there is nothing between', () => {
  for (let at = 0; at <= 100; at += 1) {
    const noise = at / 100
    const { label, confidence, perhaps } = saidOf(unsure(0.2, 0.3), noise)
    assert.deepEqual([label, confidence], ['unclassified', noise])
    assert.equal(perhaps, noise > NOTHING ? null : 'idea', String(noise))
    const stored = {
      classification: label,
      classification_confidence: confidence,
      classification_version: 'any',
    }
    assert.equal(saysNothing(stored), perhaps === null)
    assert.equal(saysNothing({ ...stored, classification_version: `any${UNKNOWN_LANGUAGE}` }), false)
  }
  assert.equal(saidOf(unsure(0.3, 0.2), 0.1).perhaps, 'problem')
  assert.equal(saidOf(unsure(0.2, 0.2), 0.1).perhaps, 'problem')
})

test('where nobody can tell, nothing is said of a need', () => {
  assert.deepEqual(saidOf(unsure(0.2, 0.3), null), { label: 'unclassified', confidence: 0.7, perhaps: null })
})

test('a label that is likely stays, unless the text is nearly certain to ask for nothing', () => {
  const problem = { label: 'problem', confidence: 0.6, likely: [0.6, 0.2, 0.1, 0.1] } as const
  assert.deepEqual(saidOf(problem, 0.94), { label: 'problem', confidence: 0.6, perhaps: null })
  assert.deepEqual(saidOf(problem, 0.96), { label: 'unclassified', confidence: 0.96, perhaps: null })
})

test('a question that is likelier a need than a question speaks of it, and stays a question', () => {
  const question = (problem: number, idea: number) => ({
    label: 'question' as const,
    confidence: 0.4,
    likely: [problem, idea, 0.4, 0.6 - problem - idea],
  })
  assert.deepEqual(saidOf(question(0.1, 0.35), 0.2), { label: 'question', confidence: 0.4, perhaps: 'idea' })
  assert.equal(saidOf(question(0.2, 0.15), 0.2).perhaps, null)
  assert.equal(saidOf(question(0.2, 0.15), 0.97).label, 'question')
  assert.equal(saidOf(question(0.2, 0.15), 0.99).label, 'unclassified')
})

test('what people teach of such texts moves how likely they ask for nothing', () => {
  const before = [0.2, 0.2, 0.1, 0.5]
  assert.ok(Math.abs(noiseBeside(0.6, before, before) - 0.6) < 1e-9)
  assert.ok(noiseBeside(0.6, before, [0.1, 0.1, 0.1, 0.7]) > 0.7)
  assert.ok(noiseBeside(0.9, before, [0.6, 0.2, 0.1, 0.1]) < 0.6)
  for (const noise of [0, 1]) assert.ok(noiseBeside(noise, [0, 0, 0, 1], [1, 0, 0, 0]) >= 0)
})
