import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

interface Signal {
  readonly id: SignalId
  readonly reference: string
}

const TEXTS = [
  'Good morning. It stopped again. We wait for hours.',
  'Hello team! The export of the ledger stops after four hundred rows. Please help.',
  'Only 400 lines of the ledger are in the export.',
  'The ledger is cut.',
] as const

let kit: OperationsKit
let workspace: Workspace
let signals: readonly Signal[]
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  signals = await Promise.all(TEXTS.map(text => workspace.signal({ text })))
  const members = signals.map(({ id }) => ({ signalId: id, likeness: 5, language: null, start: 0, length: 200 }))
  const run = { throughNumber: 0, signals: 0, model: BUILT_IN_MODEL, mean: null, answers: 0 }
  await kit.database.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace.id] }, transaction =>
    storeThemes(transaction, workspace.id, [{ name: 'ledger, export, rows', members }], run),
  )
})

const gather = (more: object = {}) =>
  workspace.inApp('triage_signals', {
    ...{ action: 'gather', theme_id: 'THM-1', signal_ids: signals.map(({ id }) => id) },
    ...more,
  })
const call = (name: string) => workspace.inApp('update_theme', { theme_id: 'THM-1', name })
const titleOf = async (id: string): Promise<string> => (await workspace.inApp('lookup_claim', { id })).data.title
const textOf = async (id: string): Promise<string> =>
  (await workspace.inApp('lookup_decision', { id })).data.decision.text
const at = (place: number): Signal => signals[place] ?? assert.fail(`${place}`)

describe('A claim that is made of a theme', () => {
  it('is called as a person named the theme, the Solution too, and one undo takes all of it back', async () => {
    await call('The export of the ledger is cut off')
    const { data, meta } = await gather({ makes_solution: true })
    assert.equal(await titleOf(data.claim.id), 'The export of the ledger is cut off')
    assert.equal(data.solution.title, 'The export of the ledger is cut off')
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.equal((await workspace.inApp('lookup_claim', { id: data.claim.id })).data.state, 'dismissed')
  })

  it('is called by the sentence of its signals that has most of the words where nobody named the theme', async () => {
    const { data } = await gather({ makes_solution: true })
    const telling = 'The export of the ledger stops after four hundred rows.'
    assert.equal(await titleOf(data.claim.id), telling)
    assert.equal(data.solution.title, telling)
    assert.doesNotMatch(await textOf(data.decision.id), /ledger/)
  })

  it('that was there is called so, too, where nobody wrote its title, and has that back by undo in both ways', async () => {
    const claim = await workspace.claim('We wait for hours.', [at(0)])
    await workspace.claim('Lines are missing', [at(2)])
    await call('Ledgers are cut off')
    const { data, meta } = await gather()
    assert.deepEqual([data.claim.id, await titleOf(claim.id)], [claim.id, 'Ledgers are cut off'])
    assert.match(await textOf(data.decision.id), /evidence of CLM-1\. CLM-1 is renamed to “Ledgers are cut off”\.$/)
    assert.equal((await gather()).data.decision, null)
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.equal(await titleOf(claim.id), 'We wait for hours.')
    const again = (await gather()).data.decision
    await workspace.inApp('triage', { action: 'undo', decision_id: again.id })
    assert.equal(await titleOf(claim.id), 'We wait for hours.')
  })

  it('keeps the title that a person gave it, and is renamed by one afterwards', async () => {
    const claim = await workspace.claim('We wait for hours.', [at(0)])
    await workspace.inApp('update_claim', { claim_id: claim.id, title: 'Our own words' })
    await call('Ledgers are cut off')
    await gather()
    assert.equal(await titleOf(claim.id), 'Our own words')
    await workspace.inApp('update_claim', { claim_id: claim.id, title: 'Other words' })
    await gather({ signal_ids: [at(0).id] })
    assert.equal(await titleOf(claim.id), 'Other words')
  })

  it('keeps its title where more else is behind it than the theme brings', async () => {
    const others = await Promise.all(
      ['The van is late.', 'The van broke down.', 'No van came.', 'A van is lost.'].map(text =>
        workspace.signal({ text }),
      ),
    )
    const claim = await workspace.claim('The van is late.', [...others, at(0)])
    await call('Ledgers are cut off')
    const { data } = await gather()
    assert.equal(data.claim.id, claim.id)
    assert.equal(await titleOf(claim.id), 'The van is late.')
  })
})
