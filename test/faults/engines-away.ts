import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '../../infra/stack/index.ts'
import type { Trial } from '../support/trial.ts'
import { SIZES } from './sizes.ts'

/** Comes before all other faults of a trial: what is printed until its end is about engines alone. */
export const describeEnginesAway = (stack: Stack, trial: () => Trial): void => {
  describe('Engines that go away and come back', () => {
    for (const engines of SIZES.away) {
      const names = engines.join(', ')
      it(`${names}: nothing accepted is lost or doubled, and the edge answers 200 or 503`, async () => {
        await trial().underLoad(`${names} was away`, async load => {
          for (const engine of engines) {
            await stack.stopEngine(engine)
            await sleep(engine === 'clickhouse' ? SIZES.clickhouseUnavailableMs : SIZES.unavailableMs)
            await stack.startEngine(engine)
            await load.untilMore(1)
          }
          for (const outcome of Object.keys(load.outcomes())) {
            assert.ok(['200', '429', '503'].includes(outcome), JSON.stringify(load.outcomes()))
          }
        })
        const { programs } = trial().installation
        await Promise.all(Object.values(programs).flatMap(all => all.map(program => program.ready())))
      })
    }

    it('leaves a log of what was waited for, and no stack trace', () => {
      const output = trial().installation.output()
      assert.match(output, /"reason":"The log cannot be reached\."/)
      assert.match(output, /waiting for the stores/)
      assert.doesNotMatch(output, /\bat .*\.(ts|js):\d+/)
    })
  })
}
