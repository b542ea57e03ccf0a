import { after, before, describe, it } from 'node:test'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { assertConserved } from '../support/conservation.ts'
import { createLanes, type Lane, type Load, startLoad } from '../support/load.ts'
import { signUp } from '../support/person.ts'
import { type ProgramName, type ProgramsInstallation, startPrograms } from '../support/programs.ts'

const MORE_SIGNALS = 12

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'], stack => {
  describe('Programs that are killed, added and taken away while signals are sent', () => {
    let installation: ProgramsInstallation
    let lanes: readonly Lane[] = []

    before(async () => {
      installation = await startPrograms(stack)
      lanes = await createLanes(await signUp(installation.baseUrl))
    })
    after(async () => {
      await Promise.all(lanes.map(({ agent }) => agent.close()))
      await installation?.remove()
      await stack.stop()
    })

    /** Signals are sent while `change` happens, and all of them are there once afterwards. */
    const underLoad = async (change: (load: Load) => Promise<void>): Promise<void> => {
      const load = startLoad(lanes)
      await load.untilMore(MORE_SIGNALS)
      await change(load)
      await load.untilMore(MORE_SIGNALS)
      await load.finish()
      await assertConserved(lanes)
    }

    for (const name of ['ingest', 'processors', 'query-api'] satisfies ProgramName[]) {
      it(`kill -9 of ${name}, started again: nothing is lost or doubled`, () =>
        underLoad(async () => {
          for (const program of installation.programs[name]) {
            await program.killAbruptly()
            program.start()
            await program.ready()
          }
        }))
    }

    it('two processors, then four, then one: nothing is lost or doubled', () =>
      underLoad(async load => {
        await installation.add('processors')
        await installation.add('processors', ['--segments', 'validate,embed'])
        await load.untilMore(MORE_SIGNALS)
        const [, ...others] = installation.programs.processors
        await Promise.all(others.map((program, index) => (index === 0 ? program.killAbruptly() : program.stop())))
        await load.untilMore(MORE_SIGNALS)
      }))
  })
})
