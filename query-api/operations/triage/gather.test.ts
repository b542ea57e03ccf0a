import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { claimView } from '../decisions/testing.ts'
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

type Signal = Awaited<ReturnType<Workspace['signal']>>

const say = (text: string) => workspace.signal({ text })
const gather = async (signals: readonly Signal[], more: object = {}) =>
  workspace.inApp('triage_signals', { action: 'gather', signal_ids: signals.map(({ id }) => id), ...more })
const evidenceOf = async (id: string): Promise<readonly string[]> =>
  (await workspace.inApp('lookup_claim', { id, depth: 'full' })).data.evidence.items
    .map(({ reference }: Signal) => reference)
    .toSorted()
const stateOf = async ({ id }: Signal): Promise<string> =>
  (await workspace.inApp('lookup_signal', { id })).data.signal.state
const names = (...signals: readonly Signal[]) => signals.map(({ reference }) => reference).toSorted()

describe('triage_signals, action gather', () => {
  it('starts a claim where none has one, and one undo takes all of it back', async () => {
    const signals = [await say('The export hangs.'), await say('Exporting never ends.'), await say('It hangs.')]
    const { data, meta } = await gather(signals)
    assert.equal(data.claim.is_new, true)
    assert.deepEqual(await evidenceOf(data.claim.id), names(...signals))
    for (const signal of signals) assert.equal(await stateOf(signal), 'accepted')
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    for (const signal of signals) assert.equal(await stateOf(signal), 'triage')
    assert.equal((await claimView(workspace, data.claim.id)).state, 'dismissed')
  })

  it('makes a Solution of them by the same Decision, which one undo takes back, and no second one', async () => {
    const signals = [await say('The export hangs.'), await say('Exporting never ends.')]
    const { data, meta } = await gather(signals, { makes_solution: true })
    assert.equal(data.solution.title, 'The export hangs.')
    const solution = () => workspace.inApp('lookup_solution', { id: data.solution.id, depth: 'full' })
    assert.deepEqual(
      (await solution()).data.answered_claims.map(({ id }: { id: string }) => id),
      [data.claim.id],
    )
    assert.deepEqual(
      (await solution()).data.decisions.map(({ reference }: { reference: string }) => reference),
      [data.decision.reference],
    )
    const pressed = await gather(signals, { makes_solution: true })
    assert.deepEqual([pressed.data.solution.reference, pressed.data.decision], ['SOL-1', null])
    const more = await say('Exporting takes for ever.')
    const grown = await gather([...signals, more], { makes_solution: true })
    assert.deepEqual([grown.data.solution.reference, grown.data.claim.reference], ['SOL-1', 'CLM-1'])
    assert.equal(await stateOf(more), 'accepted')
    await workspace.inApp('undo_change', { change_id: grown.meta.change_id })
    const inTriage = workspace.inApp('triage', { action: 'undo', decision_id: data.decision.id })
    await assert.rejects(inTriage, failsWith('conflict', /made SOL-1, too/))
    const changeOf = async () => (await workspace.inApp('lookup_decision', { id: data.decision.id })).data.change_id
    assert.equal(await changeOf(), meta.change_id)
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.equal(await changeOf(), null)
    assert.equal((await solution()).data.state, 'Dropped')
    for (const signal of signals) assert.equal(await stateOf(signal), 'triage')
    const again = await gather(signals)
    const solved = await gather(signals, { makes_solution: true })
    assert.notEqual(solved.data.decision.id, again.data.decision.id)
    assert.equal(solved.data.solution.reference, 'SOL-2')
  })

  it('joins the claim of most: merges those that have nothing else, and leaves the others what they have', async () => {
    const [one, two, alone, shared, other, loose] = [
      await say('The export hangs.'),
      await say('Exporting never ends.'),
      await say('The export of a board stops.'),
      await say('The export stops, and the import too.'),
      await say('The import stops.'),
      await say('Does the export end?'),
    ]
    const exports = await workspace.claim('Exports hang', [one, two])
    const single = await workspace.claim('An export stops', [alone])
    const imports = await workspace.claim('Imports stop', [shared, other])
    const { data, meta } = await gather([alone, shared, one, two, loose])
    assert.deepEqual(data.claim, { id: exports.id, reference: exports.reference, is_new: false })
    assert.deepEqual((await claimView(workspace, exports.id)).merged, [single.reference])
    assert.deepEqual(await evidenceOf(exports.id), names(one, two, alone, shared, loose))
    assert.deepEqual(await evidenceOf(imports.id), names(shared, other))
    assert.equal((await claimView(workspace, single.id)).reference, exports.reference)
    const logged = (await workspace.inApp('lookup_decision', { id: data.decision.id })).data.decision
    assert.match(logged.text, new RegExp(`evidence of ${exports.reference}`))

    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.deepEqual(await evidenceOf(exports.id), names(one, two))
    assert.deepEqual(await evidenceOf(single.id), names(alone))
    assert.deepEqual(await evidenceOf(imports.id), names(shared, other))
    assert.deepEqual((await claimView(workspace, single.id)).apart, [])
    assert.equal(await stateOf(loose), 'triage')
  })

  it('has the kind that its evidence mostly has, an unclassified one by its likely need, until an undo', async () => {
    const problem = await workspace.signal({ text: 'The export hangs.', classification: 'problem' })
    const claim = await workspace.claim('The export hangs.', [problem])
    const idea = await workspace.signal({ text: 'Export on a schedule, please.', classification: 'idea' })
    const perhaps = await workspace.signal({
      text: 'Exports every Monday, perhaps?',
      classification: 'unclassified',
      perhaps: 'idea',
    })
    const kindOf = async (id: string) => (await workspace.inApp('lookup_claim', { id })).data.kind
    const { data, meta } = await gather([problem, idea, perhaps])
    assert.deepEqual([data.claim.id, await kindOf(claim.id)], [claim.id, 'opportunity'])
    await workspace.inApp('undo_change', { change_id: meta.change_id })
    assert.equal(await kindOf(claim.id), 'problem')
    const started = await gather([perhaps, await say('Exports hang.'), idea])
    assert.equal(await kindOf(started.data.claim.id), 'opportunity')
  })

  it('is taken back by its Decision in Triage, too', async () => {
    const [one, alone, loose] = [await say('It hangs.'), await say('It stops.'), await say('Does it end?')]
    const claim = await workspace.claim('It hangs', [one, await say('It hangs again.')])
    const single = await workspace.claim('It stops', [alone])
    const { data } = await gather([one, alone, loose])
    await workspace.inApp('triage', { action: 'undo', decision_id: data.decision.id })
    assert.deepEqual(await evidenceOf(single.id), names(alone))
    assert.equal((await evidenceOf(claim.id)).length, 2)
    assert.equal(await stateOf(loose), 'triage')
  })

  it('writes nothing where one is dismissed, is apart from the others, or nothing would change', async () => {
    const [one, two, gone] = [await say('It hangs.'), await say('It stops.'), await say('Thanks!')]
    const [hangs, stops] = [await workspace.claim('It hangs', [one]), await workspace.claim('It stops', [two])]
    await workspace.inApp('triage', { action: 'dismiss', signal_id: gone.id })
    await assert.rejects(gather([one, two, gone]), failsWith('conflict', /dismissed. Nothing was written/))
    await workspace.inApp('triage', { action: 'refuse_merge', proposal_id: await workspace.proposal(hangs, stops) })
    await assert.rejects(gather([one, two]), failsWith('conflict'))
    assert.deepEqual(await evidenceOf(hangs.id), names(one))
    assert.deepEqual(await evidenceOf(stops.id), names(two))
    await gather([one])
    const { data } = await gather([one])
    assert.equal(data.decision, null)
    assert.match(data.unchanged, /evidence of CLM-\d+ already; nothing was changed/)
  })
})
