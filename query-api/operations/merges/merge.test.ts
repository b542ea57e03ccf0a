import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { refusal } from '../decisions/testing.ts'
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

const decide = (mode: string, input: object) => workspace.call('service_decide', mode, input)

test('a confirmed merge moves the evidence and the Solutions, and the old reference answers the survivor', async () => {
  const older = await workspace.claim('Exports time out', [await workspace.signal({ text: 'The export never ends.' })])
  const newer = await workspace.claim('Export is slow', [
    await workspace.signal({ text: 'Exporting takes an hour.' }),
    await workspace.signal({ text: 'Export spinner for ages.' }),
  ])
  await decide('create_solution', { title: 'Stream exports', claim_ids: [newer.reference], comment: 'Agreed.' })
  const proposal = await workspace.proposal(newer, older)
  const { data } = await decide('triage', {
    action: 'confirm_merge',
    proposal_id: proposal,
    comment: 'Both are the export queue.',
  })
  assert.equal(data.merges[0].survivor.reference, older.reference)
  assert.deepEqual([data.merges[0].moved_signals, data.merges[0].moved_solutions], [2, 1])

  for (const id of [newer.id, newer.reference, 'Export is slow']) {
    const { data: claim } = await workspace.call('service_lookup', 'claim', { id })
    assert.equal(claim.reference, older.reference)
    assert.deepEqual(claim.merged_references, [newer.reference])
    assert.equal(claim.evidence.count, 3)
    assert.equal(claim.waiting_proposals, 0)
    assert.deepEqual(
      claim.answering_solutions.map((one: { reference: string }) => one.reference),
      ['SOL-1'],
    )
  }
  const { data: claim } = await workspace.call('service_lookup', 'claim', { id: older.id })
  const came: string[] = claim.evidence.items.flatMap((one: { merged_from: string[] }) => one.merged_from)
  assert.deepEqual(came, [newer.reference, newer.reference])
  assert.deepEqual(
    claim.merges.map((one: Record<string, unknown>) => [one.merged, one.into, one.merged_by, one.reason]),
    [[newer.reference, older.reference, 'member', 'Both are the export queue.']],
  )
  const again = await refusal(decide('triage', { action: 'confirm_merge', proposal_id: proposal }))
  assert.equal(again.code, 'conflict')
})

test('the claim that lives on can be chosen, and no third one', async () => {
  const older = await workspace.claim('Exports time out')
  const newer = await workspace.claim('Export is slow')
  const third = await workspace.claim('Login loops')
  const proposal_id = await workspace.proposal(newer, older)
  const wrong = { action: 'confirm_merge', proposal_id, survivor_id: third.reference }
  assert.equal((await refusal(decide('triage', wrong))).code, 'invalid_input')
  const { data } = await decide('triage', { ...wrong, survivor_id: newer.reference })
  assert.equal(data.merges[0].survivor.reference, newer.reference)
})

test('a refused pair stays apart and no longer waits', async () => {
  const older = await workspace.claim('Exports time out')
  const newer = await workspace.claim('Imports time out')
  const proposal_id = await workspace.proposal(newer, older)
  const { data: waiting } = await workspace.call('service_lookup', 'proposals')
  assert.deepEqual([waiting.count, waiting.items[0].candidate.reference], [1, older.reference])
  await decide('triage', { action: 'refuse_merge', proposal_id, comment: 'Different queues.' })
  const { data } = await workspace.call('service_lookup', 'proposals')
  assert.equal(data.count, 0)
  const { data: claim } = await workspace.call('service_lookup', 'claim', { id: newer.reference })
  assert.equal(claim.reference, newer.reference)
})

test('two claims merged by way of a third are one already, and their own proposal waits for nobody', async () => {
  const [first, second, third] = [
    await workspace.claim('One'),
    await workspace.claim('Two'),
    await workspace.claim('Three'),
  ]
  const confirmed = [await workspace.proposal(second, first), await workspace.proposal(third, first)]
  const implied = await workspace.proposal(third, second)
  for (const proposal_id of confirmed) await decide('triage', { action: 'confirm_merge', proposal_id })
  const { data } = await workspace.call('service_lookup', 'claim', { id: third.reference })
  assert.equal(data.reference, first.reference)
  assert.deepEqual(data.merged_references, [second.reference, third.reference])
  const { data: waiting } = await workspace.call('service_lookup', 'proposals')
  assert.equal(waiting.count, 0)
  const late = await refusal(decide('triage', { action: 'confirm_merge', proposal_id: implied }))
  assert.equal(late.code, 'conflict')
  const undone = await refusal(decide('triage', { action: 'undo', proposal_id: implied }))
  assert.match(undone.publicMessage, /became one by another merge \(DEC-2\)/)
})

test('an agent reviews pairs by claim in lines, and decides on them by their names', async () => {
  const claims = new Map<string, Awaited<ReturnType<Workspace['claim']>>>()
  for (const title of ['Exports time out', 'Export is slow', 'Export never ends', 'Login loops', 'Signed out']) {
    claims.set(title, await workspace.claim(title, [await workspace.signal({ text: `${title}, since Tuesday.` })]))
  }
  const of = (title: string) => claims.get(title) ?? assert.fail(title)
  await workspace.proposal(of('Export is slow'), of('Exports time out'))
  await workspace.proposal(of('Export never ends'), of('Exports time out'))
  const groups = async () =>
    (await workspace.call('service_lookup', 'merge_groups', { depth: 'summary' })).data.items as object[]
  assert.deepEqual(await groups(), [
    {
      survivor: { reference: 'CLM-1', title: 'Exports time out' },
      count: 2,
      pairs: [
        { id: 'CLM-2/CLM-1', claim: { title: 'Export is slow' } },
        { id: 'CLM-3/CLM-1', claim: { title: 'Export never ends' } },
      ],
    },
  ])
  await decide('triage', { action: 'refuse_merge', proposal_ids: ['clm-1/clm-2'], comment: 'Slow is not broken.' })
  await decide('triage', { action: 'confirm_merge', proposal_ids: ['CLM-3/CLM-1'], comment: 'The same.' })
  assert.deepEqual(await groups(), [])
  await decide('triage', { action: 'undo', proposal_id: 'CLM-2/CLM-1' })
  assert.equal((await groups()).length, 1)

  const unknown = await refusal(decide('triage', { action: 'confirm_merge', proposal_ids: ['CLM-4/CLM-5'] }))
  assert.equal(unknown.code, 'not_found')
  assert.match(unknown.publicMessage, /service_decide mode merge_claims/)
  const { data } = await decide('merge_claims', { claim_id: 'CLM-5', into_claim_id: 'CLM-4', comment: 'One cause.' })
  assert.ok(data.decision.reference)
  const { data: log } = await workspace.call('service_lookup', 'merge_log', { kind: 'merged', depth: 'summary' })
  assert.deepEqual(
    log.items.map(({ from, into }: Record<string, string>) => [from, into]),
    [
      ['CLM-5', 'CLM-4'],
      ['CLM-3', 'CLM-1'],
    ],
  )
})
