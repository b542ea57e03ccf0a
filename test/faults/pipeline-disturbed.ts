import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rewindGroups } from '../../infra/log/kafka/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { floodWith } from '../support/flood.ts'
import type { Lane } from '../support/load.ts'
import type { TestModels } from '../support/models.ts'
import { sendSignal } from '../support/sender.ts'
import { mixedText } from '../support/texts.ts'
import type { Trial } from '../support/trial.ts'
import { SIZES } from './sizes.ts'

const TWINS = 8
/** So many that each of the partitions has some. */
const WITHOUT_REGISTRY = 24

export const describePipelineDisturbed = (stack: Stack, trial: () => Trial, models: () => TestModels): void => {
  describe('A pipeline that is disturbed while signals are sent', () => {
    it('embedder and judge go away and come back: nothing is lost or doubled', () =>
      trial().underLoad('embedder and judge were away', async load => {
        await models().stop()
        await sleep(SIZES.unavailableMs)
        await models().start()
        await load.untilMore(1)
      }))

    if (SIZES.rebalances > 0)
      it('processors join and leave all the time: nothing is lost or doubled', () =>
        trial().underLoad(`${SIZES.rebalances} processors joined and left`, async () => {
          for (let change = 0; change < SIZES.rebalances; change += 1) {
            const joined = await trial().installation.add('processors')
            await sleep(SIZES.betweenRebalancesMs)
            await (change % 2 === 0 ? joined.stop() : joined.killAbruptly())
          }
        }))

    it('a processor that knows no schema while the registry is away takes no partition from those that do', async () => {
      const lane = await trial().addLane('Without a registry')
      await stack.stopEngine('registry')
      const joining = trial().installation.add('processors')
      try {
        const isWaiting = () => trial().installation.output().includes('waiting for the schema registry')
        await eventually('the new processor waits for the registry', isWaiting)
        for (let index = 0; index < WITHOUT_REGISTRY; index += 1) {
          const text = mixedText(index)
          const { status, body } = await sendSignal(lane.source, { text })
          assert.equal(status, 200)
          lane.accepted.push(String(body.snippet_id))
          lane.texts.push(text)
        }
        const isThrough = async () => (await trial().ledger.missing(lane.accepted)).length === 0
        await eventually('each signal is stored while the registry is away', isThrough)
      } finally {
        await stack.startEngine('registry')
      }
      await (await joining).stop()
    })

    /** That all signals of the lane became one row and its occurrences, in both stores. */
    const assertOneSnippet = async (lane: Lane, what: string): Promise<void> => {
      const { workspaces } = await trial().assertAccounted(what)
      const ledger = workspaces.find(({ workspace_id }) => workspace_id === lane.workspaceId)
      assert.deepEqual(ledger?.inserted, { postgres: 1, clickhouse: 1 })
      const repeats = lane.accepted.length - 1
      assert.deepEqual(ledger?.occurrences, { postgres: repeats, clickhouse: repeats })
    }

    it('a retry that re-enters while twins pass is one of them: one snippet, and the rest occurrences', async () => {
      const lane = await trial().addLane('Twins')
      const text = 'The invoice of the third quarter cannot be downloaded as a spreadsheet.'
      const send = async (): Promise<void> => {
        const { status, body } = await sendSignal(lane.source, { text })
        assert.equal(status, 200)
        lane.accepted.push(String(body.snippet_id))
        lane.texts.push(text)
      }
      models().failOnce(text)
      await send()
      await eventually('its embedding has failed', () => models().failed() > 0)
      for (let twin = 0; twin < TWINS; twin += 1) await send()
      await assertOneSnippet(lane, 'a retry re-entered while twins passed')
    })

    it(`${SIZES.identical} identical signals at once are one snippet and ${SIZES.identical - 1} occurrences`, async () => {
      const lane = await trial().addLane('Identical')
      await floodWith(trial().person, lane, 'The calendar shows every meeting twice.', SIZES.identical)
      assert.equal(lane.accepted.length, SIZES.identical)
      await assertOneSnippet(lane, `${SIZES.identical} identical signals at once`)
    })

    it('every record is delivered a second time: no store has anything twice', async () => {
      const before = await trial().assertAccounted('before every record is delivered again')
      const rows = await trial().ledger.rows()
      const { processors } = trial().installation.programs
      await Promise.all(processors.map(program => program.stop()))
      const again = await rewindGroups((stack.urls.KAFKA_BROKERS ?? '').split(','))
      assert.ok(again > before.total.received * 4, `only ${again} records are delivered again`)
      for (const program of processors) program.start()
      await Promise.all(processors.map(program => program.ready()))
      const { total } = await trial().assertAccounted(`${again} records were delivered again`)
      assert.deepEqual(total, before.total)
      assert.deepEqual(await trial().ledger.rows(), rows)
    })
  })
}
