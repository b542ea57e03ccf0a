import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Trace, timelineOf } from './signal-timeline-rows.ts'

const step = (name: string, known: Partial<Trace['steps'][number]> = {}): Trace['steps'][number] => ({
  step: name,
  ordinal: 1,
  outcome: 'next',
  fault: '',
  reason: '',
  version: '1',
  attempt: 1,
  replay: 0,
  duration_ms: 10,
  elapsed_ms: 100,
  ended_at: '2026-05-01T12:00:00.000Z',
  ...known,
})

const trace = (steps: Trace['steps']): Trace => ({
  status: 'inserted',
  step: null,
  message: 'It is SIG-1.',
  duplicate: null,
  dead_letter: null,
  signal: null,
  receipt: null,
  steps,
  total_ms: 200,
  retries: 0,
  replays: 0,
  dead_letters: [],
})

describe('the way of a signal', () => {
  it('has all steps, those too that the signal has not come to', () => {
    const way = timelineOf(trace([step('received'), step('validate')]))
    assert.deepEqual(way.map(({ step, attempts }) => [step, attempts.length]).slice(0, 3), [
      ['validate', 1],
      ['normalize', 0],
      ['scrub', 0],
    ])
    assert.equal(way.length, 9)
  })

  it('places each attempt by when it ended and how long it took', () => {
    const [, , , embed] = timelineOf(
      trace([
        step('embed', { outcome: 'retry', duration_ms: 20, elapsed_ms: 50 }),
        step('embed', { attempt: 2, duration_ms: 40, elapsed_ms: 200 }),
      ]),
    )
    assert.deepEqual(
      embed?.attempts.map(({ begins, takes }) => [begins, takes]),
      [
        [0.15, 0.1],
        [0.8, 0.2],
      ],
    )
  })

  it('keeps what took longer than all of it, by a clock that disagrees, within the picture', () => {
    const [validate] = timelineOf(trace([step('validate', { duration_ms: 900, elapsed_ms: 100 })]))
    assert.deepEqual(
      validate?.attempts.map(({ begins, takes }) => [begins, takes]),
      [[0, 1]],
    )
  })

  it('tells a death once', () => {
    const [validate] = timelineOf(
      trace([step('validate', { outcome: 'dead' }), step('validate', { outcome: 'dead_letter' })]),
    )
    assert.deepEqual(
      validate?.attempts.map(({ outcome }) => outcome),
      ['dead'],
    )
  })
})
