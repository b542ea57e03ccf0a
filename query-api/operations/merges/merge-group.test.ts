import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '../../../schemas/domain/ids.ts'
import { claimView, refusal, waitingPairs } from '../decisions/testing.ts'
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
const claims = async (count: number) => {
  const made = []
  for (let number = 1; number <= count; number += 1) {
    made.push(await workspace.claim(`Claim ${number}`, [await workspace.signal({ text: `Signal ${number}` })]))
  }
  return made as [Claim, Claim, Claim, Claim]
}
type Claim = Awaited<ReturnType<Workspace['claim']>>

test('proposals that concern one claim are listed as a group, with its size and its proposals', async () => {
  const [first, second, third, fourth] = await claims(4)
  const proposals = [await workspace.proposal(second, first), await workspace.proposal(third, first)]
  const other = await workspace.proposal(fourth, third)
  const { data } = await workspace.call('service_lookup', 'proposals')
  const groups = data.groups.map((group: { survivor: Claim; count: number; proposal_ids: string[] }) => [
    group.survivor.reference,
    group.count,
    group.proposal_ids.toSorted(),
  ])
  assert.deepEqual(groups.toSorted(), [
    [first.reference, 2, proposals.toSorted()],
    [third.reference, 1, [other]],
  ])
})

test('a group is confirmed at once: one Decision, one survivor', async () => {
  const [first, second, third, fourth] = await claims(4)
  const proposal_ids = [
    await workspace.proposal(second, first),
    await workspace.proposal(third, first),
    await workspace.proposal(fourth, third),
  ]
  const { merges, decision } = await triage({ action: 'confirm_merge', proposal_ids, comment: 'One queue.' })
  assert.equal(decision.reference, 'DEC-1')
  assert.deepEqual(
    merges.map((one: { survivor: Claim; merged: Claim }) => [one.merged.reference, one.survivor.reference]).toSorted(),
    [second, third, fourth].map(({ reference }) => [reference, first.reference]),
  )
  assert.deepEqual((await claimView(workspace, first.id)).evidence, ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4'])

  await triage({ action: 'undo', decision_id: decision.reference })
  for (const claim of [first, second, third, fourth]) {
    assert.equal((await claimView(workspace, claim.id)).evidence.length, 1)
  }
  assert.deepEqual(await waitingPairs(workspace), [])
})

test('any claim of the group can live on, and none beside it', async () => {
  const [first, second, third, fourth] = await claims(4)
  const proposal_ids = [await workspace.proposal(second, first), await workspace.proposal(third, first)]
  const wrong = { action: 'confirm_merge', proposal_ids, survivor_id: fourth.reference }
  const error = await refusal(triage(wrong))
  assert.match(error.publicMessage, /survivor_id must be one of the claims that the proposals name/)
  await triage({ ...wrong, survivor_id: third.reference })
  for (const claim of [first, second]) assert.equal((await claimView(workspace, claim.id)).reference, third.reference)
})

test('a group is refused at once, and taken back at once', async () => {
  const [first, second, third] = await claims(3)
  const proposal_ids = [await workspace.proposal(second, first), await workspace.proposal(third, first)]
  const { decision } = await triage({ action: 'refuse_merge', proposal_ids })
  assert.deepEqual(await waitingPairs(workspace), [])
  assert.deepEqual((await claimView(workspace, first.id)).apart, [second.reference, third.reference])
  const { undone, merges } = await triage({ action: 'undo', decision_id: decision.reference })
  assert.deepEqual([undone, merges.length], [['refusal'], 2])
  assert.equal((await waitingPairs(workspace)).length, 2)
})

test('one proposal that cannot be decided leaves the whole group as it was', async () => {
  const [first, second, third] = await claims(3)
  const open = await workspace.proposal(second, first)
  const decided = await workspace.proposal(third, first)
  await triage({ action: 'refuse_merge', proposal_id: decided, comment: 'Not that one.' })
  const late = await refusal(triage({ action: 'confirm_merge', proposal_ids: [open, decided] }))
  assert.equal(late.code, 'conflict')
  assert.match(late.publicMessage, /was refused already, by Owner, through the key "Agent" \(DEC-1\)/)
  const unknown = await refusal(triage({ action: 'refuse_merge', proposal_ids: [open, newId()] }))
  assert.equal(unknown.code, 'not_found')
  assert.deepEqual(await waitingPairs(workspace), [`${second.reference} ${first.reference}`])
})

test('of two that decide on one proposal at once, one is told that the other was faster', async () => {
  const [first, second] = await claims(2)
  const proposal_id = await workspace.proposal(second, first)
  const outcomes = await Promise.allSettled([
    triage({ action: 'confirm_merge', proposal_id }),
    triage({ action: 'refuse_merge', proposal_id }),
  ])
  const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
  assert.deepEqual(refused, ['conflict'])
})

test('a refused pair stays refused for what either is merged into', async () => {
  const [first, second, third] = await claims(3)
  await triage({ action: 'refuse_merge', proposal_id: await workspace.proposal(second, first) })
  const follows = await workspace.proposal(third, first)
  await triage({ action: 'confirm_merge', proposal_id: await workspace.proposal(third, second) })
  assert.deepEqual(await waitingPairs(workspace), [])
  const late = await refusal(triage({ action: 'confirm_merge', proposal_id: follows }))
  assert.match(late.publicMessage, /was refused already/)
})

test('claims of two kinds are merged where a person says so, and the survivor keeps its kind', async () => {
  const [first, second] = await claims(2)
  await kit.database.pool.query(`update claims set kind = 'opportunity' where id = $1`, [second.id])
  const proposal_id = await workspace.proposal(second, first)
  await triage({ action: 'confirm_merge', proposal_id })
  assert.deepEqual((await claimView(workspace, first.id)).evidence, ['SIG-1', 'SIG-2'])
  const { rows } = await kit.database.pool.query(
    'select kind from claims where id = any ($1::uuid[]) order by number',
    [[first.id, second.id]],
  )
  assert.deepEqual(rows, [{ kind: 'problem' }, { kind: 'opportunity' }])
})

test('a merge keeps what lost against the claim that was chosen', async () => {
  const [first, second, third, fourth] = await claims(4)
  await triage({ action: 'refuse_merge', proposal_id: await workspace.proposal(fourth, second), comment: 'Imports.' })
  await workspace.proposal(fourth, third)
  await triage({ action: 'confirm_merge', proposal_id: await workspace.proposal(fourth, first), comment: 'Exports.' })
  const { data } = await workspace.call('service_lookup', 'claim', { id: first.reference })
  const [merge] = data.merges
  assert.deepEqual([merge.merged, merge.reason, merge.decision], [fourth.reference, 'Exports.', 'DEC-2'])
  assert.deepEqual(
    merge.rejected_candidates.map((one: Record<string, unknown>) => [one.claim, one.verdict, one.reason]).toSorted(),
    [
      [second.reference, 'refused', 'Imports.'],
      [third.reference, 'undecided', 'They look alike.'],
    ],
  )
})

test('decided proposals are listed with who decided and why', async () => {
  const [first, second] = await claims(2)
  const proposal_id = await workspace.proposal(second, first)
  await triage({ action: 'refuse_merge', proposal_id, comment: 'Two queues.' })
  const { data } = await workspace.call('service_lookup', 'proposals', { state: 'refused' })
  const [item] = data.items
  assert.deepEqual(
    [data.count, item.id, item.state, item.decided_reason, item.decision, data.groups],
    [1, proposal_id, 'refused', 'Two queues.', 'DEC-1', []],
  )
})

for (const [what, given, message] of [
  ['neither proposal_id nor proposal_ids', {}, /exactly one of proposal_id or proposal_ids/],
  ['both', { proposal_id: newId(), proposal_ids: [newId()] }, /exactly one of proposal_id or proposal_ids/],
] as const) {
  test(`a decision on proposals with ${what} says what it takes`, async () => {
    for (const action of ['confirm_merge', 'refuse_merge']) {
      const error = await refusal(triage({ action, ...given }))
      assert.equal(error.code, 'invalid_input')
      assert.match(error.publicMessage, message)
    }
  })
}

test('more than a hundred proposals at once, or none, are refused', async () => {
  for (const count of [0, 101]) {
    const proposal_ids = Array.from({ length: count }, () => newId())
    const error = await refusal(triage({ action: 'confirm_merge', proposal_ids }))
    assert.deepEqual([error.code, error.violations[0]?.pointer], ['invalid_input', '/proposal_ids'])
  }
})
