import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Classification } from '../../../schemas/domain/vocabulary.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

describe('Accepting what has no claim', () => {
  const say = async (text: string, classification: Classification, confidence = 0.5) => {
    const signal = await workspace.signal({ text, classification })
    await kit.database.pool.query('update signals set classification_confidence = $2 where id = $1', [
      signal.id,
      confidence,
    ])
    return signal
  }

  it('starts a claim of its own for each that may speak of a need, says so, and is undone as one', async () => {
    const question = await say('How do I raise the API limit?', 'question')
    const unsure = await say('Please raise the maximum size of files', 'unclassified')
    const { data, meta } = await workspace.inApp('triage_signals', {
      action: 'accept',
      signal_ids: [question.id, unsure.id],
    })
    assert.deepEqual(
      data.started_claims.map(({ signal_id }: { signal_id: string }) => signal_id),
      [question.id, unsure.id],
    )
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    const { claims } = (await workspace.inApp('lookup_signal', { id: unsure.id })).data.signal
    assert.deepEqual(claims, [])
    const one = await workspace.inApp('triage', { action: 'accept', signal_id: unsure.id })
    assert.equal(one.data.claim.is_new, true)
    const logged = (await workspace.inApp('lookup_decision', { id: one.data.decision.id })).data.decision
    assert.equal(logged.text, `${unsure.reference} is accepted, and started ${one.data.claim.reference}.`)
    await workspace.inApp('triage', { action: 'undo', decision_id: one.data.decision.id })
    assert.deepEqual((await workspace.inApp('lookup_signal', { id: unsure.id })).data.signal.claims, [])
  })

  it('starts the claim of the need that one likely speaks of, which is dismissed once a person says that it speaks of none', async () => {
    const { id, reference } = await workspace.signal({
      text: 'Rows, many more',
      classification: 'unclassified',
      perhaps: 'idea',
    })
    const { data } = await workspace.inApp('triage', { action: 'accept', signal_id: id })
    const claimOf = async () => (await workspace.inApp('lookup_claim', { id: data.claim.reference })).data
    assert.deepEqual([(await claimOf()).kind, (await claimOf()).state], ['opportunity', 'emerging'])
    await workspace.inApp('triage', { action: 'dismiss', signal_id: id })
    assert.equal((await claimOf()).state, 'dismissed')
    await workspace.inApp('triage', { action: 'undo', signal_id: reference })
    assert.deepEqual([(await claimOf()).kind, (await claimOf()).state], ['opportunity', 'emerging'])
  })

  it('starts none for noise among others, nor where it has one; noise alone starts one, since somebody read it', async () => {
    const thanks = await say('Thanks!', 'unclassified', 0.95)
    const claimed = await say('How do I export?', 'question')
    await workspace.claim('Exports', [claimed])
    const { data } = await workspace.inApp('triage_signals', { action: 'accept', signal_ids: [thanks.id, claimed.id] })
    assert.deepEqual(data.started_claims, [])
    const need = await say('Bitte löschen', 'unclassified', 0.95)
    const one = await workspace.inApp('triage', { action: 'accept', signal_id: need.id })
    assert.equal(one.data.claim.is_new, true)
    const other = await say('Bitte drucken', 'unclassified', 0.95)
    const chosen = await workspace.inApp('triage_signals', { action: 'accept', signal_ids: [other.id] })
    assert.equal(chosen.data.started_claims.length, 1)
  })
})
