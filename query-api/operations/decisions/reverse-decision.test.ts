import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  await create('First')
})

const create = async (title: string, input: object = {}): Promise<string> =>
  (await workspace.call('service_decide', 'create_solution', { title, comment: 'Agreed.', ...input })).data.decision
    .reference
const change = async (mode: string, input: object): Promise<string> =>
  (await workspace.call('service_decide', mode, { solution_id: 'SOL-1', comment: 'Decided.', ...input })).data.decision
    .reference
const reverse = async (decision_id: string, input: object = {}) =>
  (await workspace.inApp('reverse_decision', { decision_id, ...input })).data
const solution = async (id = 'SOL-1') => (await workspace.call('service_lookup', 'solution', { id })).data
const decisionOf = async (id: string) => (await workspace.call('service_lookup', 'decision', { id })).data.decision

test('a person takes back in the app what was decided through a key, and that is a Decision too', async () => {
  const claims = [await workspace.claim('Exports hang'), await workspace.claim('Exports are slow')]
  const [hang, slow] = claims.map(claim => claim.reference)
  await change('update_solution', { add_claim_ids: [hang] })
  const decision = await change('update_solution', {
    title: 'Other',
    summary: 'Text.',
    state: 'Planned',
    priority_boost: 3,
    add_claim_ids: [hang, slow],
    remove_claim_ids: [hang],
  })
  const { decision: by, solutions, reversed } = await reverse(decision, { comment: 'The agent misheard.' })
  assert.deepEqual([reversed, solutions[0].reference, solutions[0].not_reversed], [decision, 'SOL-1', []])
  const { title, text, state, priority_boost, answered_claims, decisions } = await solution()
  assert.deepEqual(
    [title, text, state, priority_boost, answered_claims.map((claim: { reference: string }) => claim.reference)],
    ['First', '', 'Backlog', 1, [hang]],
  )
  assert.deepEqual([decisions[0].statement, decisions[0].via], ['The agent misheard.', 'app'])
  assert.equal((await decisionOf(decision)).reversed_by, by.reference)
  assert.equal((await decisionOf(by.reference)).reverses, decision)
  await assert.rejects(reverse(decision), failsWith('conflict', new RegExp(`reversed by ${by.reference} already`)))
})

test('a Solution whose creation is taken back answers no claim, and those again when that is taken back', async () => {
  const claims = [await workspace.claim('Exports hang'), await workspace.claim('Exports are slow')]
  const references = claims.map(claim => claim.reference)
  const created = await create('Second', { claim_ids: references })
  const answered = async () =>
    (await solution('SOL-2')).answered_claims.map(({ reference }: { reference: string }) => reference)
  const { decision } = await reverse(created)
  assert.deepEqual([(await solution('SOL-2')).state, await answered()], ['Dropped', []])
  const { data } = await workspace.inApp('analyze_claims')
  assert.ok(
    data.groups.every(({ claims, unanswered }: { claims: number; unanswered: number }) => claims === unanswered),
  )
  await reverse(decision.reference)
  assert.deepEqual([(await solution('SOL-2')).state, await answered()], ['Backlog', references])
})

test('a reversal is reversed like any other Decision, and what it had undone stands again', async () => {
  await change('update_solution', { state: 'Planned' })
  const handedOff = await change('handoff', { kind: 'design', url: 'https://design.example.com/1' })
  const { decision } = await reverse(handedOff)
  const withdrawn = await solution()
  assert.equal(withdrawn.state, 'Planned')
  assert.notEqual(withdrawn.handoffs[0].withdrawn_at, null)
  await reverse(decision.reference)
  const again = await solution()
  assert.deepEqual([again.state, again.handoffs[0].withdrawn_at], ['In Review', null])
  assert.equal((await decisionOf(handedOff)).reversed_by, null)
})

test('what was changed since stands in the way, and then nothing is undone', async () => {
  const decision = await change('update_solution', { title: 'Second', priority_boost: 2 })
  await change('update_solution', { title: 'Third' })
  await assert.rejects(
    reverse(decision),
    failsWith('conflict', /SOL-1: its title was changed since, from "Second" to "Third"/),
  )
  const { title, priority_boost } = await solution()
  assert.deepEqual([title, priority_boost], ['Third', 2])
})

test('a rank is given back to those that moved, unless another took it', async () => {
  await create('Second')
  await change('prioritize', { manual_rank: 1 })
  const moved = await change('prioritize', { solution_id: 'SOL-2', manual_rank: 1 })
  await reverse(moved)
  assert.deepEqual([(await solution()).manual_rank, (await solution('SOL-2')).manual_rank], [1, null])
  await create('Third')
  const ranked = await change('prioritize', { manual_rank: 5 })
  await change('prioritize', { solution_id: 'SOL-3', manual_rank: 1 })
  await assert.rejects(reverse(ranked), failsWith('conflict', /rank 1 is that of SOL-3 by now/))
})

test('a Solution that a Decision created is dropped, and Done with an Outcome stays', async () => {
  const created = await create('Unwanted')
  await reverse(created)
  assert.equal((await solution('SOL-2')).state, 'Dropped')
  await change('update_solution', { state: 'Planned' })
  await change('handoff', { kind: 'design', url: 'https://design.example.com/1' })
  const done = await change('update_solution', { state: 'Done' })
  await change('outcome', { expectation: 'Less.', observation: 'Less.', verdict: 'met' })
  await assert.rejects(reverse(done), failsWith('conflict', /its Outcome was recorded, which needs Done/))
})

test('a Decision that changed no Solution is not reversed here, and no key reverses any', async () => {
  const { data } = await workspace.call('service_decide', 'decision', { statement: 'Exports first.', about: ['SOL-1'] })
  await assert.rejects(reverse(data.reference), failsWith('conflict', /changed nothing of a Solution/))
  const written = await change('living_doc', { markdown: '# Plan' })
  await assert.rejects(reverse(written), failsWith('conflict', /changed nothing of a Solution/))
  const decision = await change('update_solution', { title: 'Other' })
  await assert.rejects(workspace.inApp('reverse_decision', { decision_id: decision }, 'viewer'), failsWith('forbidden'))
  const other = await kit.workspace()
  const id = (await workspace.inApp('lookup_reference', { query: decision })).data.items[0].id
  await assert.rejects(other.inApp('reverse_decision', { decision_id: id }), failsWith('not_found'))
})

test('of two reversals at once, one is done', async () => {
  const decision = await change('update_solution', { title: 'Other' })
  const results = await Promise.allSettled([reverse(decision), reverse(decision)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await solution()).title, 'First')
})
