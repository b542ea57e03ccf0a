import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { quantile } from '../../model/pipeline/processor-report.ts'
import { createFigures } from './report.ts'

const kit = () => {
  let clock = 1_000_000
  const figures = createFigures(() => clock)
  return {
    ...figures,
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}

describe('the figures of the last minute', () => {
  it('are counted by step and lane, a batch by each signal’s share', () => {
    const { observer, read } = kit()
    observer.stepRan('embed', 'live', 100, 10)
    observer.stepRan('embed', 'bulk', 50, 1)
    observer.retry('embed', 'live')
    observer.deadLetter('embed', 'live', 'ours')
    observer.outcome('embed', 'live', 'next', 800)
    const [live, bulk] = read()
    assert.deepEqual([live?.signals, live?.retried, live?.dead_lettered], [10, 1, 1])
    assert.deepEqual([bulk?.lane, bulk?.signals, bulk?.retried], ['bulk', 1, 0])
    assert.ok(Math.abs((quantile(live?.durations ?? {}, 0.5) ?? 0) - 10) < 1)
    assert.ok(Math.abs((quantile(live?.ages ?? {}, 0.5) ?? 0) - 800) < 60)
  })

  it('forget what is older, slice by slice', () => {
    const { observer, read, pass } = kit()
    observer.stepRan('embed', 'live', 1, 1)
    pass(30_000)
    observer.stepRan('embed', 'live', 1, 2)
    assert.equal(read()[0]?.signals, 3)
    pass(30_000)
    assert.equal(read()[0]?.signals, 2)
    pass(30_000)
    assert.deepEqual(read(), [])
  })
})
