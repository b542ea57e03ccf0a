import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { refusal } from './testing.ts'

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

test('a Solution is created on a comment, which becomes a Decision of the owner made through the key', async () => {
  const claim = await workspace.claim('Exports time out')
  const { data } = await decide('create_solution', {
    title: 'Stream exports',
    claim_ids: [claim.reference],
    comment: 'We will stream exports, three customers left over it.',
  })
  assert.equal(data.solution.reference, 'SOL-1')
  assert.equal(data.solution.state, 'Backlog')
  assert.equal(data.solution.claims, 1)
  assert.deepEqual([data.decision.reference, data.decision.recorded], ['DEC-1', 'now'])

  const { data: found } = await workspace.call('service_lookup', 'solution', { id: 'SOL-1' })
  assert.equal(found.decisions[0].statement, 'We will stream exports, three customers left over it.')
  assert.equal(found.decisions[0].made_by, 'Owner')
  assert.equal(found.decisions[0].via, 'key')
  assert.equal(found.decisions[0].key_label, 'Agent')
  assert.deepEqual(
    found.answered_claims.map((one: { reference: string }) => one.reference),
    [claim.reference],
  )
})

test('a change of a Solution that nobody decided is refused, and nothing is written', async () => {
  const error = await refusal(decide('create_solution', { title: 'Nobody asked' }))
  assert.equal(error.code, 'invalid_input')
  assert.match(error.publicMessage, /comment .* decision_id/s)
  const { data } = await workspace.call('service_orient', 'snapshot')
  assert.deepEqual(data.solutions, [])
})

test('a change can hang on a Decision that was logged before', async () => {
  const { data: decision } = await decide('decision', { statement: 'Exports come first this quarter.' })
  assert.equal(decision.reference, 'DEC-1')
  assert.equal(decision.via, 'the key "Agent"')
  const { data } = await decide('create_solution', { title: 'Stream exports', decision_id: 'DEC-1' })
  assert.deepEqual(data.decision, { id: decision.id, reference: 'DEC-1', recorded: 'before' })
})

test('a boost is changed through the title, and out of its range is refused', async () => {
  await decide('create_solution', { title: 'Stream exports', comment: 'Agreed.' })
  const { data } = await decide('update_solution', {
    solution_id: 'stream EXPORTS',
    priority_boost: 2.5,
    comment: 'A churn risk.',
  })
  assert.equal(data.solution.priority_boost, 2.5)
  assert.deepEqual(data.changed.priority_boost, { from: 1, to: 2.5 })
  assert.equal(data.solution.version, 2)
  const error = await refusal(decide('update_solution', { solution_id: 'SOL-1', priority_boost: 11, comment: 'More.' }))
  assert.equal(error.code, 'invalid_input')
})

test('a move that the state does not allow answers with the moves that are', async () => {
  await decide('create_solution', { title: 'Stream exports', comment: 'Agreed.' })
  const error = await refusal(decide('update_solution', { solution_id: 'SOL-1', state: 'Done', comment: 'Shipped.' }))
  assert.equal(error.code, 'conflict')
  assert.match(error.publicMessage, /From Backlog, service_decide mode update_solution moves to: Planned, Dropped\./)
  const { data } = await decide('update_solution', { solution_id: 'SOL-1', state: 'Planned', comment: 'Next up.' })
  assert.equal(data.solution.state, 'Planned')
})

test('a write on a stale version is refused with the Solution as it is', async () => {
  await decide('create_solution', { title: 'Stream exports', comment: 'Agreed.' })
  await decide('update_solution', { solution_id: 'SOL-1', title: 'Stream all exports', version: 1, comment: 'Wider.' })
  const error = await refusal(
    decide('update_solution', { solution_id: 'SOL-1', title: 'Stream some', version: 1, comment: 'Narrower.' }),
  )
  assert.equal(error.code, 'conflict')
  assert.equal((error.context.current as { title: string }).title, 'Stream all exports')
  const { data } = await workspace.call('service_lookup', 'solution', { id: 'SOL-1' })
  assert.equal(data.title, 'Stream all exports')
})

test('a title that fits several Solutions answers the candidates and changes nothing', async () => {
  await decide('create_solution', { title: 'Same name', comment: 'One.' })
  await decide('create_solution', { title: 'same name', comment: 'Two.' })
  const error = await refusal(
    decide('update_solution', { solution_id: 'Same name', priority_boost: 3, comment: 'Which?' }),
  )
  assert.equal(error.code, 'ambiguous')
  const candidates = error.context.candidates as { reference: string }[]
  assert.deepEqual(
    candidates.map(({ reference }) => reference),
    ['SOL-1', 'SOL-2'],
  )
  const { data } = await workspace.call('service_orient', 'snapshot')
  assert.ok(data.solutions.every((one: { priority_boost: number }) => one.priority_boost === 1))
})

test('a rank that is taken moves those behind it back, and unranked gives the place to evidence again', async () => {
  for (const title of ['First', 'Second', 'Third']) await decide('create_solution', { title, comment: 'Agreed.' })
  await decide('prioritize', { solution_id: 'SOL-2', manual_rank: 1, comment: 'Second leads.' })
  await decide('prioritize', { solution_id: 'SOL-3', manual_rank: 1, comment: 'No, Third does.' })
  const order = async () => {
    const { data } = await workspace.call('service_orient', 'snapshot')
    return data.solutions.map((one: { title: string; manual_rank: number | null }) => [one.title, one.manual_rank])
  }
  assert.deepEqual(await order(), [
    ['Third', 1],
    ['Second', 2],
    ['First', null],
  ])
  const { data: moved } = await workspace.call('service_lookup', 'solution', { id: 'SOL-2' })
  assert.equal(moved.decisions[0].statement, 'No, Third does.')
  await decide('prioritize', { solution_id: 'SOL-3', unranked: true, comment: 'Let evidence speak.' })
  assert.deepEqual(await order(), [
    ['Second', 2],
    ['First', null],
    ['Third', null],
  ])
})

test('Signals are accepted, dismissed and reclassified, and what a person says of one is certain', async () => {
  const signal = await workspace.signal({ text: 'Could you add dark mode?', classification: 'unclassified' })
  const { data: idea } = await decide('triage', {
    action: 'reclassify',
    signal_id: signal.reference,
    classification: 'idea',
  })
  assert.deepEqual([idea.signal.classification, idea.signal.classification_confidence], ['idea', 1])
  const { data: accepted } = await decide('triage', { action: 'accept', signal_id: signal.id, version: 2 })
  assert.equal(accepted.signal.state, 'accepted')
  const stale = await refusal(decide('triage', { action: 'dismiss', signal_id: signal.id, version: 2 }))
  assert.equal(stale.code, 'conflict')
  const { data: waiting } = await workspace.call('service_lookup', 'triage')
  assert.equal(waiting.count, 0)
})

test('a field that the triage action does not read is refused by its name', async () => {
  const signal = await workspace.signal({ text: 'It hangs.' })
  const error = await refusal(decide('triage', { action: 'accept', signal_id: signal.id, classification: 'idea' }))
  assert.deepEqual(
    error.violations.map(({ pointer }) => pointer),
    ['/classification'],
  )
  const missing = await refusal(decide('triage', { action: 'reclassify', signal_id: signal.id }))
  assert.deepEqual(
    missing.violations.map(({ pointer }) => pointer),
    ['/classification'],
  )
})

test('a repeat under the same idempotency key decides once', async () => {
  const input = { title: 'Stream exports', comment: 'Agreed.' }
  const first = await workspace.call('service_decide', 'create_solution', input, 'key-1')
  const second = await workspace.call('service_decide', 'create_solution', input, 'key-1')
  assert.equal(second.data.solution.id, first.data.solution.id)
  const { data } = await workspace.call('service_orient', 'snapshot')
  assert.equal(data.counts.solutions, 1)
})
