import assert from 'node:assert/strict'
import { test } from 'node:test'
import { next, type StepDefinition, type WithParts } from '../step.ts'
import { testContent, testSignal } from '../testing.ts'

// A step is made by a factory. It takes what the step needs from outside and answers a definition: a name, what is said
// about the step in the reference, and the function. The function's input type lists the parts of a signal that it
// reads, its output the part that it adds. It knows no topic, no offset and no other step.

interface Labels {
  label(text: string): 'problem' | 'question'
}

const createLabel = ({
  labels,
}: {
  readonly labels: Labels
}): StepDefinition<
  WithParts<'content'>,
  { readonly classification: { label: 'problem' | 'question'; confidence: number; version: string } }
> => ({
  name: 'classify',
  summary: 'Says whether a text tells of a problem or asks a question.',
  guarantee: 'Writes nothing.',
  version: '1',
  run: async batch =>
    batch.map(signal =>
      next({ classification: { label: labels.label(signal.content.text), confidence: 1, version: '1' } }),
    ),
})

test('a step is tested by calling it with a batch', async () => {
  const step = createLabel({ labels: { label: text => (text.endsWith('?') ? 'question' : 'problem') } })
  const signal = testSignal('Why?')

  const results = await step.run([
    { ...signal, content: testContent('Why?') },
    { ...signal, content: testContent('It crashes.') },
  ])

  assert.deepEqual(
    results.map(result => result.kind === 'next' && result.adds.classification.label),
    ['question', 'problem'],
  )
})
