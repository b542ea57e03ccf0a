import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from '../../infra/stack/engine.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { startTrial, type Trial } from '../support/trial.ts'
import { SIZES } from './sizes.ts'

const ENGINES: readonly EngineName[] = ['postgres', 'kafka', 'clickhouse', 'registry', 'valkey']

await describeWithStack(ENGINES, stack => {
  describe('Engines that go away and come back', () => {
    let trial: Trial

    before(async () => {
      // Nothing is up yet when the programs start: they wait, and say so.
      for (const engine of ENGINES) await stack.stopEngine(engine)
      const names = ['ingest', 'processors', 'processors', 'query-api'] as const
      const starting = startTrial(stack, { names, toTheEdge: true })
      await sleep(SIZES.awayMs)
      for (const engine of ENGINES) await stack.startEngine(engine)
      trial = await starting
    })
    after(async () => {
      await trial?.end()
      await stack.stop()
    })

    for (const engine of ENGINES) {
      it(`${engine}: nothing accepted is lost or doubled, and the edge answers 200 or 503`, async () => {
        await trial.underLoad(`${engine} was away`, async load => {
          await stack.stopEngine(engine)
          await sleep(engine === 'clickhouse' ? SIZES.clickhouseAwayMs : SIZES.awayMs)
          await stack.startEngine(engine)
          await load.untilMore(1)
          for (const outcome of Object.keys(load.outcomes())) {
            assert.ok(['200', '429', '503'].includes(outcome), JSON.stringify(load.outcomes()))
          }
        })
        const { programs } = trial.installation
        await Promise.all(Object.values(programs).flatMap(all => all.map(program => program.ready())))
      })
    }

    it('leaves a log of what was waited for, and no stack trace', () => {
      const output = trial.installation.output()
      assert.match(output, /"reason":"The log cannot be reached\."/)
      assert.match(output, /waiting for the stores/)
      assert.doesNotMatch(output, /\bat .*\.(ts|js):\d+/)
    })
  })
})
