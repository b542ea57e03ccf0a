import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { type ActivityAnswer, type Agent, connectAgent } from '../support/agent.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { type CreatedSource, createKey, createSignalSource, signUp } from '../support/person.ts'
import { sendSignal } from '../support/sender.ts'
import { distinctText } from '../support/texts.ts'

const KILLS = 3
const SENDERS = 4
const SIGNALS_A_ROUND = 25

interface SignalAnswer {
  readonly id: string
  readonly occurrences: number
}

describe('kill -9 while signals are being sent', () => {
  let installation: EmbeddedInstallation
  let source: CreatedSource
  let agent: Agent

  before(async () => {
    installation = await startInstallation()
    const person = await signUp(installation.baseUrl)
    source = await createSignalSource(person)
    agent = await connectAgent(installation.baseUrl, (await createKey(person)).key)
  })
  after(async () => {
    await agent?.close()
    await installation?.remove()
  })

  /** Sends from several senders at once until the process is killed under them; answers the ids that were answered 200. */
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
        if (accepted.length === SIGNALS_A_ROUND - 8) killed ??= installation.killAbruptly()
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, sender))
    await (killed ?? installation.killAbruptly())
    return accepted
  }

  it('loses nothing that was answered 200 and makes nothing twice', async () => {
    const accepted: string[] = []
    for (let round = 0; round < KILLS; round += 1) {
      accepted.push(...(await sendUntilKilled(round)))
      await installation.start()
    }
    assert.ok(accepted.length >= KILLS * 10, `only ${accepted.length} were accepted`)
    assert.equal(new Set(accepted).size, accepted.length)

    for (const id of accepted) {
      const signal = await eventually(`the signal ${id} is in Triage`, async () => {
        const { data } = await agent.call<{ signal: SignalAnswer | null }>('service_lookup', { mode: 'signal', id })
        return data.signal
      })
      assert.equal(signal.id, id, 'it must not have become an occurrence of another')
      assert.equal(signal.occurrences, 0)
    }

    const insertedEvents = async (): Promise<Readonly<Record<string, number>>> => {
      const { data } = await agent.call<ActivityAnswer>('service_analyze', {
        mode: 'activity',
        metrics: ['count', 'distinct_signals'],
        filters: [
          { field: 'step', op: 'in', values: ['insert'] },
          { field: 'outcome', op: 'in', values: ['next'] },
        ],
      })
      return data.items[0]?.metrics ?? {}
    }
    // A request cut off by the kill may have become durable without its 200: there may be more signals than answers, never fewer.
    const inserted = await eventually('analytics has every insert', async () => {
      const counted = await insertedEvents()
      return Number(counted.distinct_signals) >= accepted.length ? counted : null
    })
    assert.equal(inserted.count, inserted.distinct_signals, 'an event counted twice')
  })
})
