import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEADERS } from '../../../schemas/events/topics.ts'
import { next, skip } from '../step.ts'
import {
  eventsIn,
  header,
  movesIn,
  outputsOf,
  segmentWork,
  signalCodec,
  stored,
  testContent,
  testPipeline,
  testSignal,
  testStep,
} from '../testing.ts'

// A segment's batch goes through its steps in memory. Each step sees the survivors of the one before, with what that
// one added. At the end everything that follows from the batch is appended to the log at once: survivors to the next
// head's topic, and activity that tells what each step said.

const pass = (name: 'validate' | 'embed' | 'anchor') => testStep(name, async batch => batch.map(() => next({})))

const pipeline = testPipeline(
  [
    pass('validate'),
    testStep('normalize', async batch =>
      batch.map(({ received }) => next({ content: testContent(received?.body ?? ''), received: null })),
    ),
    testStep('scrub', async batch => batch.map(() => next({ scrubbed: { version: '1', replaced: {} } }))),
    pass('embed'),
    testStep('anchor', async batch => {
      const [original] = batch
      return batch.map(signal => (signal === original ? next({}) : skip('same_text', original?.signal_id ?? '')))
    }),
    testStep('cluster', async batch => batch.map(() => next({}))),
  ],
  ['validate', 'embed', 'anchor', 'cluster'],
)

test('survivors go to the next head with everything that was added to them', async () => {
  const signal = testSignal('The export fails.')
  const outputs = await outputsOf([await stored(signal)], segmentWork(pipeline, 'validate'))

  const [handed, ...more] = movesIn(outputs)
  assert.deepEqual(more, [])
  assert.equal(handed?.topic, 'signals.embed')
  const record = await signalCodec.decode(handed?.value ?? new Uint8Array())
  assert.equal(record.received, null)
  assert.equal(record.content?.text, '{"text":"The export fails."}')
  assert.deepEqual(record.scrubbed, { version: '1', replaced: {} })
})

test('up to embed a signal is its own key; behind it the signals of a workspace share one', async () => {
  const signal = testSignal('The export fails.')
  const keyAfter = async (head: 'validate' | 'embed' | 'anchor') =>
    movesIn(await outputsOf([await stored(signal)], segmentWork(pipeline, head)))[0]?.key

  assert.equal(await keyAfter('validate'), signal.signal_id)
  assert.equal(await keyAfter('embed'), signal.workspace_id)
  assert.equal(await keyAfter('anchor'), signal.workspace_id)
})

test('a signal that is skipped ends here, and behind the last segment there is nothing to hand over', async () => {
  const records = [await stored(testSignal('original')), await stored(testSignal('repeat'), { offset: 1 })]
  assert.equal(movesIn(await outputsOf(records, segmentWork(pipeline, 'anchor'))).length, 1)
  assert.deepEqual(movesIn(await outputsOf(records, segmentWork(pipeline, 'cluster'))), [])
})

test('the trace goes with the signal; the attempts of a segment do not', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const record = await stored(testSignal('traced'), {
    headers: { [HEADERS.traceparent]: traceparent, [HEADERS.attempt]: '2' },
  })
  const outputs = await outputsOf([record], segmentWork(pipeline, 'validate'))

  assert.equal(header(movesIn(outputs)[0], 'traceparent'), traceparent)
  assert.equal(header(movesIn(outputs)[0], 'attempt'), undefined)
  for (const event of await eventsIn(outputs)) assert.equal(event.trace_id, '4bf92f3577b34da6a3ce929d0e0e4736')
})
