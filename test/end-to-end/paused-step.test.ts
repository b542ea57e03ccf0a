import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import { type EmbeddedInstallation, startInstallation } from '../support/installation.ts'
import { REFUSED, type RefusingModel, startRefusingModel } from '../support/models.ts'
import { type CreatedSource, createSignalSource, type Person, signUp } from '../support/person.ts'
import { sendSignal } from '../support/sender.ts'
import { distinctText } from '../support/texts.ts'

interface Watched {
  readonly steps: readonly {
    readonly step: string
    readonly pause: { readonly reason: string } | null
    readonly lanes: readonly {
      readonly lane: string
      readonly waiting: { readonly state: string; readonly lag: number } | null
    }[]
  }[]
}

/**
 * A pause is for the whole installation and for as long as people want: over restarts, in both lanes, and without
 * losing anything.
 */
describe('A paused step', () => {
  let model: RefusingModel
  let installation: EmbeddedInstallation
  let person: Person
  let source: CreatedSource

  before(async () => {
    model = await startRefusingModel()
    installation = await startInstallation({ EMBEDDINGS_URL: model.url })
    person = await signUp(installation.baseUrl)
    source = await createSignalSource(person)
  })
  after(async () => {
    await installation?.remove()
    model?.stop()
  })

  const send = async (text: string): Promise<void> => {
    assert.equal((await sendSignal(source, { text })).status, 200)
  }
  const counts = async () =>
    (await person.call<{ counts: { signals: number; waiting_dead_letters: number } }>('orient_snapshot')).counts
  /** What waits before the step in each lane, and what its consumers say that they do. */
  const waiting = async (step: string) => {
    const { steps } = await person.call<Watched>('watch_pipeline')
    const lanes = steps.find(each => each.step === step)?.lanes ?? []
    return lanes.map(({ waiting }) => [waiting?.state, waiting?.lag])
  }
  const heldBack = (live: number, bulk: number) =>
    eventually('both lanes stand still, with what came', async () => {
      const expected = JSON.stringify([
        ['paused', live],
        ['paused', bulk],
      ])
      return JSON.stringify(await waiting('embed')) === expected || null
    })

  it('takes nothing of what is sent and of what is replayed', async () => {
    await send(REFUSED)
    await eventually('it is a dead letter', async () => (await counts()).waiting_dead_letters === 1 || null)
    model.remedy()
    await person.call('pause_step', { step: 'embed', reason: 'The model is being changed.' })
    await heldBack(0, 0)
    await send(distinctText(1))
    await send(distinctText(2))
    await person.call('replay_dead_letters', { all: true })
    await heldBack(2, 1)
    assert.equal((await counts()).signals, 0)
  })

  it('is so after a restart, and what waited waits', async () => {
    await installation.stop()
    await installation.start()
    await heldBack(2, 1)
    assert.equal((await counts()).signals, 0)
  })

  it('goes on where it stood once it is resumed, with everything, and nothing twice', async () => {
    await send(distinctText(3))
    await heldBack(3, 1)
    await person.call('resume_step', { step: 'embed' })
    await eventually('all four are there', async () => (await counts()).signals === 4 || null)
    await eventually('the ledger is balanced', async () => {
      const ledger = await person.call<{ verdict: string; received: number }>('read_ledger')
      return (ledger.verdict === 'balanced' && ledger.received === 4) || null
    })
  })
})
