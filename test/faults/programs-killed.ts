import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assay } from '../support/assay.ts'
import type { Load } from '../support/load.ts'
import type { ProgramName } from '../support/programs.ts'
import type { Trial } from '../support/trial.ts'
import { SIZES } from './sizes.ts'

const MORE_SIGNALS = 12
/** A kill comes at any moment of this. */
const MOMENTS_MS = 1500
const PROGRAM_NAMES: readonly ProgramName[] = ['ingest', 'processors', 'query-api']

/**
 * Comes after all other faults of a trial: one processor is left, and a signal is taken away behind everybody's back.
 */
export const describeProgramsKilled = (trial: () => Trial): void => {
  describe('Programs that are killed, added and taken away while signals are sent', () => {
    const killed = async (name: ProgramName, times: number, load: Load): Promise<void> => {
      const programs = trial().installation.programs[name]
      for (let kill = 0; kill < times; kill += 1) {
        const program = programs[kill % programs.length]
        assert.ok(program)
        await load.untilMore(1)
        await sleep(Math.random() * MOMENTS_MS)
        await program.killAbruptly()
        program.start()
        await program.ready()
      }
    }
    for (const kills of SIZES.kills) {
      const names = PROGRAM_NAMES.filter(name => kills[name] !== undefined)
      it(`kill -9 of ${names.join(' and ')}, started again: nothing is lost or doubled`, () =>
        trial().underLoad(`kill -9 of ${names.join(' and ')}`, async load => {
          for (const name of names) await killed(name, kills[name] ?? 0, load)
        }))
    }

    it(`${SIZES.processors} processors, then two more, then one: nothing is lost or doubled`, () =>
      trial().underLoad('two more processors, then one alone', async load => {
        const { installation } = trial()
        const joined = [
          await installation.add('processors'),
          await installation.add('processors', ['--segments', 'validate,embed']),
        ]
        await load.untilMore(MORE_SIGNALS)
        const [, ...others] = [...installation.programs.processors, ...joined]
        await Promise.all(others.map((program, index) => (index === 0 ? program.killAbruptly() : program.stop())))
        await load.untilMore(MORE_SIGNALS)
      }))

    it('assay ledger says so, and says what is lost when something is', async () => {
      const balanced = await assay(['ledger'], trial().environment)
      assert.equal(balanced.code, 0, balanced.stderr)
      assert.match(balanced.stdout, /^total .* 0\n\n.*\n.*\nIt balances/m)

      const lost = await trial().ledger.loseOccurrence()
      const { code, stdout } = await assay(['ledger', '--json'], trial().environment)
      assert.equal(code, 1)
      const { verdict, workspaces } = JSON.parse(stdout)
      assert.equal(verdict, 'unbalanced')
      assert.deepEqual(
        workspaces.flatMap(({ differences }: { differences: object[] }) => differences),
        [{ end: 'occurrences', only_in_postgres: [], only_in_clickhouse: [lost] }],
      )
    })
  })
}
