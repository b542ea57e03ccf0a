import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { assertInTriage, countInserted } from '../../support/accounting.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { EmbeddedInstallation } from '../../support/installation.ts'
import { type CreatedSource, createSignalSource, signUp } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'
import { distinctText } from '../../support/texts.ts'

/** The second one comes to an installation that has got over the first. */
const KILLS = 2
const SENDERS = 4
const SIGNALS_A_ROUND = 25

export const describePowerCut = (installation: () => EmbeddedInstallation): void => {
  describe('kill -9 while signals are being sent', () => {
    let source: CreatedSource
    let agent: Agent

    before(async () => {
      const person = await signUp(installation().baseUrl)
      source = await createSignalSource(person)
      agent = await agentOf(person)
    })
    after(() => agent?.close())

    /**
     * Sends from several senders at once until the process is killed under them; answers the ids that were answered
     * 200.
     */
    const sendUntilKilled = async (round: number): Promise<string[]> => {
      const accepted: string[] = []
      let index = 0
      let killed: Promise<void> | null = null
      const sender = async (): Promise<void> => {
        while (index < SIGNALS_A_ROUND) {
          const own = index
          index += 1
          const answer = await sendSignal(source, {
            text: distinctText(round * SIGNALS_A_ROUND + own),
            source: `round-${round}`,
          }).catch(() => null)
          if (answer?.status === 200) accepted.push(String(answer.body.snippet_id))
          if (accepted.length === SIGNALS_A_ROUND - 8) killed ??= installation().killAbruptly()
        }
      }
      await Promise.all(Array.from({ length: SENDERS }, sender))
      await (killed ?? installation().killAbruptly())
      return accepted
    }

    it('loses nothing that was answered 200 and makes nothing twice', async () => {
      const accepted: string[] = []
      for (let round = 0; round < KILLS; round += 1) {
        accepted.push(...(await sendUntilKilled(round)))
        await installation().start()
      }
      assert.ok(accepted.length >= KILLS * 10, `only ${accepted.length} were accepted`)
      assert.equal(new Set(accepted).size, accepted.length)

      for (const id of accepted) await assertInTriage(agent, id)

      // A request cut off by the kill may have become durable without its 200: there may be more signals than answers,
      // never fewer.
      const inserted = await eventually('analytics has every insert', async () => {
        const counted = await countInserted(agent)
        return Number(counted.distinct_signals) >= accepted.length ? counted : null
      })
      assert.equal(inserted.count, inserted.distinct_signals, 'an event counted twice')
    })
  })
}
