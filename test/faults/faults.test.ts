import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE_NAMES } from '../../infra/stack/engine.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { createModels, type TestModels } from '../support/models.ts'
import type { ProgramName } from '../support/programs.ts'
import { startTrial, type Trial } from '../support/trial.ts'
import { describeActivityBacklog } from './activity-backlog.ts'
import { describeDearBatches } from './dear-batches.ts'
import { describeEnginesAway } from './engines-away.ts'
import { describePipelineDisturbed } from './pipeline-disturbed.ts'
import { describeProgramsKilled } from './programs-killed.ts'
import { SIZES } from './sizes.ts'

/**
 * All that can go wrong goes wrong for the same programs, one thing after another: every check counts every signal
 * since the first.
 */
await describeWithStack(
  ENGINE_NAMES,
  stack => {
    describe('Programs on the real engines', () => {
      let models: TestModels
      let trial: Trial

      before(async () => {
        models = await createModels()
        await models.start()
        const named = (name: ProgramName, count: number): ProgramName[] => Array.from({ length: count }, () => name)
        // Nothing is up yet when the programs start: they wait, and say so.
        const starting = startTrial(stack, {
          names: [
            ...named('ingest', SIZES.programs),
            ...named('processors', SIZES.processors),
            ...named('query-api', SIZES.programs),
          ],
          // Nobody waits for activity but the ledger at the end of each fault, and each insert takes 50 ms of the
          // processor.
          environment: { ...models.environment, RETRY_DELAYS: '2s,4s,8s', ACTIVITY_LINGER: '2s' },
          betweenSignalsMs: SIZES.betweenSignalsMs,
        })
        await sleep(SIZES.unavailableMs)
        await Promise.all(ENGINE_NAMES.map(name => stack.startEngine(name)))
        trial = await starting
      })
      after(async () => {
        await trial?.end()
        await models?.stop()
      })

      describeEnginesAway(stack, () => trial)
      describePipelineDisturbed(
        stack,
        () => trial,
        () => models,
      )
      // The last one takes a signal away, after which nothing balances.
      describeProgramsKilled(() => trial)
    })

    // It takes the place of the programs' own consumer, so they must have ended.
    describeActivityBacklog(stack)

    describeDearBatches(stack)

    after(() => stack.stop())
  },
  { atRest: true },
)
