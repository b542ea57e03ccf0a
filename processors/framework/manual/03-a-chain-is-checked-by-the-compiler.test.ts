import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content, Scrubbed } from '../../../schemas/events/signal.ts'
import { chain } from '../pipeline.ts'
import { next, type StepDefinition, type WithParts } from '../step.ts'
import { testContent } from '../testing.ts'

// A chain puts steps behind each other. It knows at each point which parts of a signal are there: a step that needs one
// which no step before it adds does not compile. At run time a chain is just the list of its steps.

const about = { summary: '', guarantee: '', version: '1' }

const normalize: StepDefinition<WithParts<'received'>, { readonly content: Content; readonly received: null }> = {
  ...about,
  name: 'normalize',
  run: async batch => batch.map(({ received }) => next({ content: testContent(received.body), received: null })),
}

const scrub: StepDefinition<WithParts<'content'>, { readonly scrubbed: Scrubbed }> = {
  ...about,
  name: 'scrub',
  run: async batch => batch.map(() => next({ scrubbed: { version: '1', replaced: {} } })),
}

test('steps stand in the order in which they were chained', () => {
  const { steps } = chain<WithParts<'received'>>().step(normalize).step(scrub)
  assert.deepEqual(
    steps.map(step => step.name),
    ['normalize', 'scrub'],
  )
})

test('a step whose needs are not there does not compile', () => {
  // @ts-expect-error: nothing before scrub adds `content`.
  chain<WithParts<'received'>>().step(scrub)

  // @ts-expect-error: normalize took `received` away, so it cannot run again.
  assert.throws(() => chain<WithParts<'received'>>().step(normalize).step(normalize))
})

test('a step is in a chain once', () => {
  assert.throws(() => chain<WithParts<'content'>>().step(scrub).step(scrub), /'scrub' is in the chain already/)
})
