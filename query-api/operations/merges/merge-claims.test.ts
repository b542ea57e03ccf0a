import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { claimView, refusal, waitingPairs } from '../decisions/testing.ts'
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

const app = async (operation: string, input: object = {}) => (await workspace.inApp(operation, input)).data
const claimOf = async (text: string) => workspace.claim(text, [await workspace.signal({ text })])
const refuse = (proposal: string) => app('triage', { action: 'refuse_merge', proposal_id: proposal })

describe('merge_claims', () => {
  it('merges two that nobody proposed, and undo pulls them apart', async () => {
    const [one, other] = [await claimOf('Exports fail'), await claimOf('Exports are slow')]
    const { decision, merges } = await app('merge_claims', { claim_id: one.reference, into_claim_id: other.reference })
    assert.equal(merges[0].survivor.reference, other.reference)
    assert.deepEqual((await claimView(workspace, other.id)).merged, [one.reference])
    assert.equal((await claimView(workspace, one.id)).reference, other.reference)
    await app('triage', { action: 'undo', decision_id: decision.id })
    assert.deepEqual((await claimView(workspace, one.id)).apart, [other.reference])
  })

  it('confirms the pair that was proposed, in the direction asked for', async () => {
    const [one, other] = [await claimOf('Exports fail'), await claimOf('Exports are slow')]
    await workspace.proposal(one, other)
    await app('merge_claims', { claim_id: other.id, into_claim_id: one.id })
    assert.deepEqual((await claimView(workspace, one.id)).merged, [other.reference])
    assert.deepEqual(await waitingPairs(workspace), [])
  })

  it('merges many into one by one Decision, which one undo takes back; one that does not fit keeps all apart', async () => {
    const [into, one] = [await claimOf('Exports fail'), await claimOf('Exports hang')]
    const [other, apart] = [await claimOf('No export'), await claimOf('Invoices')]
    const many = { claim_id: one.reference, further_claim_ids: [other.id, apart.id], into_claim_id: into.id }
    await refuse(await workspace.proposal(apart, into))
    assert.equal((await refusal(app('merge_claims', many))).code, 'conflict')
    assert.deepEqual((await claimView(workspace, into.id)).merged, [])
    const twice = { ...many, further_claim_ids: [other.id, other.reference, one.id] }
    const { decision, merges } = await app('merge_claims', twice)
    assert.deepEqual(merges.map((each: { merged: { reference: string } }) => each.merged.reference).toSorted(), [
      one.reference,
      other.reference,
    ])
    assert.deepEqual((await claimView(workspace, into.id)).merged.toSorted(), [one.reference, other.reference])
    await app('triage', { action: 'undo', decision_id: decision.id })
    assert.deepEqual((await claimView(workspace, into.id)).merged, [])
    await assert.rejects(
      app('merge_claims', { ...many, further_claim_ids: [into.reference] }),
      failsWith('conflict', /already/),
    )
  })

  it('leaves two apart that are kept apart, unless that is taken back with it', async () => {
    const [one, other] = [await claimOf('Exports fail'), await claimOf('Exports are slow')]
    await refuse(await workspace.proposal(one, other))
    const pair = { claim_id: one.id, into_claim_id: other.id }
    assert.equal((await refusal(app('merge_claims', pair))).code, 'conflict')
    assert.deepEqual((await claimView(workspace, one.id)).merged, [])
    await app('merge_claims', { ...pair, lift_refusal: true })
    const { merged, apart } = await claimView(workspace, other.id)
    assert.deepEqual([merged, apart], [[one.reference], []])
  })

  it('puts back what was pulled out of a claim', async () => {
    const home = await claimOf('Exports fail')
    const signal = await workspace.signal({ text: 'Exporting fails' })
    await kit.database.pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       values ($1, $2, $3, 'judge', 'test-judge', 'Both tell of it.')`,
      [workspace.id, home.id, signal.id],
    )
    const { claim } = await app('triage', { action: 'undo', signal_id: signal.id, claim_id: home.id })
    assert.deepEqual((await claimView(workspace, claim.id)).evidence, [signal.reference])
    await app('merge_claims', { claim_id: claim.id, into_claim_id: home.id, lift_refusal: true })
    assert.ok((await claimView(workspace, home.id)).evidence.includes(signal.reference))
  })

  it('refuses one claim, a version that is past, and a viewer, with nothing changed', async () => {
    const [one, other] = [await claimOf('Exports fail'), await claimOf('Exports are slow')]
    const pair = { claim_id: one.id, into_claim_id: other.id }
    await assert.rejects(
      app('merge_claims', { ...pair, into_claim_id: one.reference }),
      failsWith('conflict', /already/),
    )
    await assert.rejects(app('merge_claims', { ...pair, version: 7 }), failsWith('conflict', /version 7/))
    await assert.rejects(workspace.inApp('merge_claims', pair, 'viewer'), failsWith('forbidden'))
    assert.deepEqual((await claimView(workspace, other.id)).merged, [])
    assert.deepEqual(await waitingPairs(workspace), [])
  })
})

describe('split_claim', () => {
  const attached = async (home: { id: string }, text: string, by = 'judge') => {
    const signal = await workspace.signal({ text })
    await kit.database.pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       values ($1, $2, $3, $4, 'test-judge', $5)`,
      [workspace.id, home.id, signal.id, by, `Because of ${text}.`],
    )
    return signal
  }

  it('starts a claim with several pieces, as they were attached, and merging puts them back', async () => {
    const home = await workspace.claim('Exports fail')
    const [kept, one, other] = [
      await attached(home, 'Exporting fails', 'cluster'),
      await attached(home, 'The invoice is wrong'),
      await attached(home, 'Wrong invoices'),
    ]
    const { claim, from, moved_signals } = await app('split_claim', {
      claim_id: home.reference,
      signal_ids: [one.reference, other.id],
      title: 'Invoices',
      version: 1,
    })
    assert.deepEqual([from.reference, moved_signals], [home.reference, 2])
    const own = await claimView(workspace, claim.id)
    assert.deepEqual([own.evidence, own.apart], [[one.reference, other.reference].toSorted(), [home.reference]])
    assert.deepEqual((await claimView(workspace, home.id)).evidence, [kept.reference])
    const { data } = await workspace.call('service_lookup', 'claim', { id: claim.id })
    assert.deepEqual(
      data.evidence.items.map((each: Record<string, unknown>) => [each.attached_by, each.reason]).toSorted(),
      [
        ['judge', 'Because of The invoice is wrong.'],
        ['judge', 'Because of Wrong invoices.'],
      ],
    )
    await app('merge_claims', { claim_id: claim.id, into_claim_id: home.id, lift_refusal: true })
    assert.equal((await claimView(workspace, home.id)).evidence.length, 3)
  })

  it('refuses all of the evidence, another’s, what a person attached, what came by a merge, and a past version', async () => {
    const home = await workspace.claim('Exports fail')
    const [one, two] = [await attached(home, 'Exporting fails'), await attached(home, 'No export')]
    const member = await attached(home, 'Promoted', 'member')
    const split = (signals: readonly { id: string }[], rest: object = {}) =>
      app('split_claim', { claim_id: home.id, signal_ids: signals.map(({ id }) => id), ...rest })
    await assert.rejects(split([one, two, member]), failsWith('conflict', /attached by a person/))
    await assert.rejects(split([await workspace.signal({ text: 'Elsewhere' })]), failsWith('conflict', /no evidence/))
    await assert.rejects(split([one], { version: 9 }), failsWith('conflict', /version 9/))
    const lone = await workspace.claim('Login loops')
    const only = await attached(lone, 'Login')
    await assert.rejects(
      app('split_claim', { claim_id: lone.id, signal_ids: [only.id] }),
      failsWith('conflict', /not all of it/),
    )
    await app('merge_claims', { claim_id: lone.id, into_claim_id: home.id })
    await assert.rejects(split([only]), failsWith('conflict', /merged claim/))
    await assert.rejects(
      workspace.inApp('split_claim', { claim_id: home.id, signal_ids: [one.id] }, 'viewer'),
      failsWith('forbidden'),
    )
    assert.equal((await claimView(workspace, home.id)).evidence.length, 4)
  })
})
