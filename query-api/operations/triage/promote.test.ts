import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { claimView, refusal } from '../decisions/testing.ts'
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

const triage = async (input: object) => (await workspace.call('service_decide', 'triage', input)).data
const question = (text = 'Where do the exports end up? I wait for hours.') =>
  workspace.signal({ text, classification: 'question' })

test('a question is promoted to a new claim of the kind given, by a person, with a Decision', async () => {
  const signal = await question()
  const { data } = await workspace.call('service_decide', 'triage', {
    action: 'promote',
    signal_id: signal.reference,
    kind: 'problem',
    comment: 'Three customers asked.',
  })
  assert.deepEqual([data.claim.reference, data.claim.is_new, data.signal.state], ['CLM-1', true, 'accepted'])
  const { data: claim } = await workspace.call('service_lookup', 'claim', { id: 'CLM-1' })
  assert.deepEqual([claim.kind, claim.state, claim.title], ['problem', 'emerging', 'Where do the exports end up?'])
  const [evidence] = claim.evidence.items
  assert.deepEqual(
    [evidence.reference, evidence.attached_by, evidence.reason],
    [signal.reference, 'member', 'Three customers asked.'],
  )
  assert.match(evidence.actor, /Owner, through the key "Agent"/)
})

test('a Signal is promoted to evidence of a claim that is there, and of a merged one by no name', async () => {
  const older = await workspace.claim('Exports time out', [await workspace.signal({ text: 'The export never ends.' })])
  const newer = await workspace.claim('Export is slow', [await workspace.signal({ text: 'Exporting takes an hour.' })])
  const [one, two] = [await question(), await question('Is export always that slow?')]
  await triage({ action: 'promote', signal_id: one.reference, claim_id: older.reference })
  await triage({ action: 'confirm_merge', proposal_id: await workspace.proposal(newer, older) })
  const merged = await refusal(triage({ action: 'promote', signal_id: two.reference, claim_id: newer.reference }))
  assert.match(merged.publicMessage, new RegExp(`Call again with ${older.reference}`))
  const { claim } = await triage({ action: 'promote', signal_id: two.reference, claim_id: older.reference })
  assert.deepEqual([claim.reference, claim.is_new], [older.reference, false])
  assert.equal((await claimView(workspace, older.id)).evidence.length, 4)
})

test('a promotion is taken back: the claim that it started is dismissed, one that was there loses the evidence', async () => {
  const own = await workspace.signal({ text: 'The export never ends.' })
  const claim = await workspace.claim('Exports time out', [own])
  const [one, two] = [await question(), await question('Is export always that slow?')]
  await triage({ action: 'promote', signal_id: one.reference, kind: 'opportunity', title: 'Faster exports' })
  await triage({ action: 'promote', signal_id: two.reference, claim_id: claim.reference })
  for (const signal of [one, two]) {
    const { signal: back, undone } = await triage({ action: 'undo', signal_id: signal.reference })
    assert.deepEqual([back.state, back.claims, undone], ['triage', [], ['promote']])
  }
  assert.equal((await claimView(workspace, 'CLM-2')).state, 'dismissed')
  assert.equal((await claimView(workspace, claim.id)).evidence.length, 1)
  await triage({ action: 'promote', signal_id: one.reference, claim_id: claim.reference })
})

test('a promotion that something stands on by now is not taken back, and the answer says what', async () => {
  const signal = await question()
  await triage({ action: 'promote', signal_id: signal.reference, kind: 'problem' })
  const undo = { action: 'undo', signal_id: signal.reference }
  const other = await question('Is export always that slow?')
  await triage({ action: 'promote', signal_id: other.reference, claim_id: 'CLM-1' })
  assert.match((await refusal(triage(undo))).publicMessage, /CLM-1.* has 1 other piece of evidence by now/)
  await triage({ action: 'undo', signal_id: other.reference })
  const solution = { title: 'Stream exports', claim_ids: ['CLM-1'], comment: 'Agreed.' }
  await workspace.call('service_decide', 'create_solution', solution)
  assert.match((await refusal(triage(undo))).publicMessage, /CLM-1.* is answered by a Solution/)
})

test('a Signal that cannot be promoted says why, and what to do', async () => {
  const evidence = await workspace.signal({ text: 'The export never ends.' })
  const claim = await workspace.claim('Exports time out', [evidence])
  const signal = await question()
  for (const [given, code, message] of [
    [{ signal_id: evidence.reference, kind: 'problem' }, 'conflict', /SIG-1 is evidence of CLM-1 already/],
    [{ signal_id: signal.reference }, 'invalid_input', /exactly one of kind or claim_id/],
    [
      { signal_id: signal.reference, kind: 'problem', claim_id: claim.id },
      'invalid_input',
      /exactly one of kind or claim_id/,
    ],
    [{ signal_id: signal.reference, claim_id: claim.id, title: 'T' }, 'invalid_input', /title with kind only/],
    [{ signal_id: signal.reference, claim_id: 'CLM-99' }, 'not_found', /CLM-99/],
    [{ signal_id: signal.reference, kind: 'problem', version: 7 }, 'conflict', /you read version 7, it is at 1/],
    [{ kind: 'problem' }, 'invalid_input', /needs signal_id/],
  ] as const) {
    const error = await refusal(triage({ action: 'promote', ...given }))
    assert.equal(error.code, code)
    assert.match(error.publicMessage, message)
  }
  await triage({ action: 'dismiss', signal_id: signal.reference })
  const dismissed = await refusal(triage({ action: 'promote', signal_id: signal.reference, kind: 'problem' }))
  assert.match(dismissed.publicMessage, /is dismissed\. Accept it first/)
})

for (const [classification, kind] of [
  ['problem', 'problem'],
  ['idea', 'opportunity'],
] as const) {
  test(`a Signal without a claim that is reclassified as ${classification} starts one, and undo takes both back`, async () => {
    const signal = await question()
    const { claim } = await triage({ action: 'reclassify', signal_id: signal.reference, classification })
    assert.deepEqual([claim.reference, claim.is_new], ['CLM-1', true])
    const { data } = await workspace.call('service_lookup', 'claim', { id: 'CLM-1' })
    assert.deepEqual([data.kind, data.evidence.count], [kind, 1])
    const { signal: back } = await triage({ action: 'undo', signal_id: signal.reference })
    assert.deepEqual([back.classification, back.claims], ['question', []])
  })
}

test('reclassified, a Signal that has a claim keeps it, and neither a question nor a dismissed Signal starts one', async () => {
  const evidence = await workspace.signal({ text: 'The export never ends.' })
  const claim = await workspace.claim('Exports time out', [evidence])
  const [other, dismissed] = [await question(), await question('Is export always that slow?')]
  await triage({ action: 'dismiss', signal_id: dismissed.reference })
  for (const [signal, classification] of [
    [evidence, 'idea'],
    [other, 'unclassified'],
    [dismissed, 'problem'],
  ] as const) {
    const changed = await triage({ action: 'reclassify', signal_id: signal.reference, classification })
    assert.deepEqual([changed.claim, changed.signal.classification], [null, classification])
  }
  assert.deepEqual((await claimView(workspace, claim.id)).evidence, [evidence.reference])
})
