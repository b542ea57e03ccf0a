import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const update = async (input: object) => (await workspace.inApp('update_claim', input)).data

it('resolves and renames a claim, as a Decision that tells both from and to', async () => {
  const { id, reference } = await workspace.claim('Exports fail')
  const { claim, decision } = await update({ claim_id: reference, state: 'addressed', title: ' Exports time out ' })
  assert.deepEqual([claim.state, claim.title, claim.version], ['addressed', 'Exports time out', 2])
  const { data } = await workspace.call('service_lookup', 'decision', { id: decision.reference })
  assert.equal(data.decision.text, `${reference} is addressed.`)
  assert.deepEqual(data.changes[0].change, {
    state: { from: 'emerging', to: 'addressed' },
    title: { from: 'Exports fail', to: 'Exports time out' },
  })
  const { data: read } = await workspace.call('service_lookup', 'claim', { id })
  assert.deepEqual([read.state, read.title], ['addressed', 'Exports time out'])
})

it('refuses a merged claim with the one that it lives on in', async () => {
  const [one, other] = [await workspace.claim('Exports fail'), await workspace.claim('Exports are slow')]
  await workspace.inApp('merge_claims', { claim_id: one.id, into_claim_id: other.id })
  const merged = update({ claim_id: one.reference, state: 'established' })
  await assert.rejects(merged, failsWith('conflict', new RegExp(`Call again with ${other.reference}`)))
})

it('refuses no change, a version that is past, a viewer, and another workspace’s claim', async () => {
  const { id, reference } = await workspace.claim('Exports fail')
  await assert.rejects(update({ claim_id: id }), failsWith('invalid_input', /nothing to change/))
  await assert.rejects(update({ claim_id: id, state: 'emerging' }), failsWith('invalid_input'))
  await assert.rejects(update({ claim_id: id, title: '  ' }), failsWith('invalid_input'))
  await update({ claim_id: id, state: 'established', version: 1 })
  await assert.rejects(update({ claim_id: id, state: 'dismissed', version: 1 }), failsWith('conflict', /version 1/))
  const viewer = workspace.inApp('update_claim', { claim_id: id, state: 'dismissed' }, 'viewer')
  await assert.rejects(viewer, failsWith('forbidden'))
  const stranger = await kit.workspace()
  await assert.rejects(stranger.inApp('update_claim', { claim_id: id, state: 'dismissed' }), failsWith('not_found'))
  const { data } = await workspace.call('service_lookup', 'claim', { id: reference })
  assert.equal(data.state, 'established')
})

it('says what kind a claim is, which no judge changes any more', async () => {
  const { id, reference } = await workspace.claim('Exports fail')
  const { claim, decision } = await update({ claim_id: reference, kind: 'opportunity' })
  assert.equal(claim.kind, 'opportunity')
  const { data } = await workspace.call('service_lookup', 'decision', { id: decision.reference })
  assert.deepEqual(
    [data.decision.text, data.changes[0].change],
    [`${reference} has the kind opportunity.`, { kind: { from: 'problem', to: 'opportunity' } }],
  )
  const { id: other } = await workspace.claim('Exports are slow')
  await update({ claim_id: other, state: 'established' })
  const { rows } = await kit.database.pool.query(
    'select kind_decided from claims where id = any ($1) order by number',
    [[id, other]],
  )
  assert.deepEqual(rows, [{ kind_decided: true }, { kind_decided: false }])
})
