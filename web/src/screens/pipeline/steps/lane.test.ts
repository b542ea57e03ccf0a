import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LaneFigures, rate, segmentsOf, stateOf, type WatchedStep } from './lane.ts'

const figures = (known: Partial<LaneFigures> = {}): LaneFigures => ({
  lane: 'live',
  per_second: 0,
  retried: 0,
  dead_lettered: 0,
  p50_ms: null,
  p95_ms: null,
  p95_since_receipt_ms: null,
  waiting: null,
  ...known,
})

const step = (known: Partial<WatchedStep> = {}): WatchedStep => ({
  step: 'normalize',
  head: 'validate',
  pause: null,
  paused_with: [],
  lanes: [figures(), figures({ lane: 'bulk' })],
  ...known,
})

const waiting = (state: 'working' | 'waiting' | 'stuck' | 'paused') =>
  figures({ waiting: { state, lag: 3, oldest_at: null, reason: '' } })

describe('what a step does', () => {
  it('is working while signals go through, and idle else', () => {
    assert.equal(stateOf(step(), figures({ per_second: 2 }), waiting('working')), 'working')
    assert.equal(stateOf(step(), figures(), waiting('working')), 'idle')
  })

  it('is what the head of its segment does: there its signals wait', () => {
    assert.equal(stateOf(step(), figures(), waiting('waiting')), 'waiting')
    assert.equal(stateOf(step(), figures(), waiting('stuck')), 'stuck')
  })

  it('is a person’s doing first, its own or another step’s of the segment', () => {
    const pause = { reason: 'No.', paused_at: '2026-05-01T12:00:00.000Z', paused_by: null }
    assert.equal(stateOf(step({ pause }), figures(), waiting('paused')), 'paused')
    assert.equal(stateOf(step({ paused_with: ['scrub'] }), figures(), waiting('paused')), 'stands still')
    assert.equal(stateOf(step({ pause, head: null }), figures(), figures()), 'paused')
  })

  it('is not served where no processor says that it does', () => {
    assert.equal(stateOf(step({ head: null }), figures(), figures()), 'not served')
  })
})

it('steps are gathered by their segments, one that nobody serves by itself', () => {
  const steps = [
    step({ step: 'validate' }),
    step(),
    step({ step: 'embed', head: null }),
    step({ step: 'anchor', head: null }),
    step({ step: 'dedup', head: 'dedup' }),
  ]
  assert.deepEqual(
    segmentsOf(steps).map(segment => segment.map(each => each.step)),
    [['validate', 'normalize'], ['embed'], ['anchor'], ['dedup']],
  )
})

it('a rate is by the second, a slow one by the minute', () => {
  assert.deepEqual([0, 1 / 60, 0.05, 0.1, 1.25, 9.96, 1234].map(rate), [
    '0',
    '1 / min',
    '3 / min',
    '0.1 / s',
    '1.3 / s',
    '10 / s',
    '1,234 / s',
  ])
})
