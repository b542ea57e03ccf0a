import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { runAssay } from '../support/program.ts'
import type { ProgramName } from '../support/programs.ts'
import { startTrial, type Trial } from '../support/trial.ts'
import { SIZES } from './sizes.ts'

const MORE_SIGNALS = 12
/** A kill comes at any moment of this. */
const MOMENTS_MS = 1500

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'], stack => {
  describe('Programs that are killed, added and taken away while signals are sent', () => {
    let trial: Trial

    before(async () => {
      trial = await startTrial(stack)
    })
    after(async () => {
      await trial?.end()
      await stack.stop()
    })

    for (const name of ['ingest', 'processors', 'query-api'] satisfies ProgramName[]) {
      it(`kill -9 of ${name}, started again: nothing is lost or doubled`, () =>
        trial.underLoad(`kill -9 of each ${name}, ${SIZES.kills} times`, async () => {
          for (let kill = 0; kill < SIZES.kills; kill += 1) {
            for (const program of trial.installation.programs[name]) {
              await sleep(Math.random() * MOMENTS_MS)
              await program.killAbruptly()
              program.start()
              await program.ready()
            }
          }
        }))
    }

    it('two processors, then four, then one: nothing is lost or doubled', () =>
      trial.underLoad('two processors, then four, then one', async load => {
        await trial.installation.add('processors')
        await trial.installation.add('processors', ['--segments', 'validate,embed'])
        await load.untilMore(MORE_SIGNALS)
        const [, ...others] = trial.installation.programs.processors
        await Promise.all(others.map((program, index) => (index === 0 ? program.killAbruptly() : program.stop())))
        await load.untilMore(MORE_SIGNALS)
      }))

    it('assay ledger says so, and says what is lost when something is', async () => {
      const balanced = await runAssay(['ledger'], stack.urls)
      assert.equal(balanced.code, 0, balanced.output)
      assert.match(balanced.output, /^total .*\n\n.*\nRecords waiting on the log: 0\nIt balances/m)

      const lost = await trial.ledger.loseOccurrence()
      const { code, output } = await runAssay(['ledger', '--json'], stack.urls)
      assert.equal(code, 1)
      const { verdict, workspaces } = JSON.parse(output)
      assert.equal(verdict, 'unbalanced')
      assert.deepEqual(
        workspaces.flatMap(({ differences }: { differences: object[] }) => differences),
        [{ end: 'occurrences', only_in_postgres: [], only_in_clickhouse: [lost] }],
      )
    })
  })
})
