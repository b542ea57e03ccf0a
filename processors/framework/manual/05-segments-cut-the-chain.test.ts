import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepName } from '../../../schemas/domain/vocabulary.ts'
import { cutIntoSegments } from '../pipeline.ts'
import { next } from '../step.ts'
import { testStep } from '../testing.ts'

// A step that has a topic is a head. The steps behind it, up to the next head, form its segment and get their batches
// in memory. Which steps are heads is configuration: more heads, and more can be scaled alone; fewer, and less is
// written to the log.

const steps = (['validate', 'scrub', 'embed', 'insert', 'cluster'] as const).map(name =>
  testStep(name, async batch => batch.map(() => next({}))),
)
const apart = [{ earlier: 'insert', later: 'cluster', because: 'since a slow judge would hold rows back' }] as const

const cut = (heads: readonly StepName[]) =>
  cutIntoSegments(steps, heads, apart).map(({ head, steps: inside, nextHead }) => [
    head,
    inside.map(step => step.name).join(' '),
    nextHead,
  ])

test('heads cut the chain, in the order of the chain', () => {
  assert.deepEqual(cut(['cluster', 'validate', 'embed']), [
    ['validate', 'validate scrub', 'embed'],
    ['embed', 'embed insert', 'cluster'],
    ['cluster', 'cluster', null],
  ])
})

test('every step can be a head', () => {
  assert.equal(cut(['validate', 'scrub', 'embed', 'insert', 'cluster']).length, 5)
})

test('heads that do not fit are refused with what to do', () => {
  const refusal = (message: RegExp) => ({ code: 'invalid_configuration', message })
  assert.throws(() => cut(['embed', 'cluster']), refusal(/'validate', must be a head: add it/))
  assert.throws(() => cut(['validate', 'dedup']), refusal(/'dedup' cannot be a head: the steps are validate, scrub/))
  assert.throws(
    () => cut(['validate', 'embed']),
    refusal(/'cluster' must not share a segment with 'insert'.*Add 'cluster' to PIPELINE_HEADS/),
  )
})
