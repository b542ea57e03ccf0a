import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from '../../infra/stack/engine.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { assertConserved } from '../support/conservation.ts'
import { createLanes, type Lane, startLoad } from '../support/load.ts'
import { signUp } from '../support/person.ts'
import { type ProgramsInstallation, startPrograms } from '../support/programs.ts'

const ENGINES: readonly EngineName[] = ['postgres', 'kafka', 'clickhouse', 'registry', 'valkey']
/** How long an engine is away while signals are sent. */
const AWAY_MS = 3000
const MORE_SIGNALS = 12

await describeWithStack(ENGINES, stack => {
  describe('Engines that go away and come back', () => {
    let installation: ProgramsInstallation
    let lanes: readonly Lane[] = []

    before(async () => {
      // Nothing is up yet when the programs start: they wait, and say so.
      for (const engine of ENGINES) await stack.stopEngine(engine)
      const starting = startPrograms(stack, {}, ['ingest', 'processors', 'processors', 'query-api'])
      await sleep(AWAY_MS)
      for (const engine of ENGINES) await stack.startEngine(engine)
      installation = await starting
      const person = await signUp(installation.baseUrl)
      // To the edge itself, so that no answer is the proxy's.
      lanes = await createLanes(person, installation.programs.ingest[0]?.baseUrl)
    })
    after(async () => {
      await Promise.all(lanes.map(({ agent }) => agent.close()))
      await installation?.remove()
      await stack.stop()
    })

    for (const engine of ENGINES) {
      it(`${engine}: nothing accepted is lost or doubled, and the edge answers 200 or 503`, async () => {
        const load = startLoad(lanes)
        await load.untilMore(MORE_SIGNALS)
        await stack.stopEngine(engine)
        await sleep(AWAY_MS)
        await stack.startEngine(engine)
        await load.untilMore(MORE_SIGNALS)
        await load.finish()
        for (const outcome of Object.keys(load.outcomes())) {
          assert.ok(['200', '503'].includes(outcome), JSON.stringify(load.outcomes()))
        }
        await assertConserved(lanes)
        await Promise.all(Object.values(installation.programs).flatMap(all => all.map(program => program.ready())))
      })
    }

    it('leaves a log of what was waited for, and no stack trace', () => {
      assert.match(installation.output(), /"reason":"The log cannot be reached\."/)
      assert.match(installation.output(), /waiting for the stores/)
      assert.doesNotMatch(installation.output(), /\bat .*\.(ts|js):\d+/)
    })
  })
})
