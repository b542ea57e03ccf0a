import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { QUOTAS } from '../../../model/quotas/quotas.ts'
import { isKept } from '../../../model/undo/changed-rows.ts'
import type { CallResult } from '../call/contract.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

const COMMENT = { comment: 'The team agreed on it.' }
const run = (name: string, input: object): Promise<CallResult> => workspace.run(name, input)
const data = (result: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(result.data))
const undo = (result: CallResult) => run('undo_change', { change_id: result.meta.change_id })

test('no undo leaves a claim without evidence, whichever way it takes the last away', async () => {
  const [one, two, three, four] = [
    await workspace.signal({ text: 'The rope is short.' }),
    await workspace.signal({ text: 'The rope is too short.' }),
    await workspace.signal({ text: 'A longer rope.' }),
    await workspace.signal({ text: 'Rope, longer.' }),
  ]
  const claim_id = (await workspace.claim('Ropes', [one, two])).id
  const attached = await run('attach_evidence', { signal_id: three.id, claim_id, reason: 'The same.' })
  await run('triage', { action: 'promote', signal_id: four.id, claim_id })
  await run('split_claim', { claim_id, signal_ids: [one.id, two.id], title: 'Short ropes' })
  await run('triage', { action: 'undo', signal_id: four.id })
  await assert.rejects(undo(attached), failsWith('conflict', /only evidence/))
  await run('triage', { action: 'promote', signal_id: four.id, claim_id })
  await undo(attached)
  await assert.rejects(run('triage', { action: 'undo', signal_id: four.id }), failsWith('conflict', /only evidence/))
})

test('no undo brings back more than a quota allows', async () => {
  const solution = data(await run('create_solution', { title: 'Hang it', ...COMMENT })).solution.id
  const notes = []
  const sources = []
  for (const name of ['One', 'Two']) {
    notes.push(await undo(await run('save_knowledge', { id: solution, text: name })))
    sources.push(await undo(await run('create_connection', { name })))
  }
  kit.quotas.notes = 1
  kit.quotas.sources = 1
  for (const [first, second] of [notes, sources]) {
    assert.ok(first && second)
    await undo(first)
    await assert.rejects(undo(second), failsWith('quota_exceeded'))
  }
  kit.quotas.notes = 1000
  kit.quotas.sources = 1000
})

test('however often a change is taken back and done again, each answer says whether it stands', async () => {
  const id = data(await run('create_solution', { title: 'Ring', ...COMMENT })).solution.id
  const made = await run('update_solution', { solution_id: id, title: 'Ring it', ...COMMENT })
  let last = made
  for (const stands of [false, true, false, true, false]) {
    last = await undo(last)
    const { items } = data(await run('list_my_changes', { limit: 7 }))
    const first = items.find(({ change_id }: { readonly change_id: string }) => change_id === made.meta.change_id)
    assert.deepEqual([first.undone_by === null, first.is_undoable], [stands, stands])
    assert.equal(/done again/.test(data(last).message), stands)
  }
  assert.equal(data(await undo(made)).is_changed, false)
  const standing = data(await run('list_my_changes', { limit: 7 })).items.filter(
    ({ undone_by }: { readonly undone_by: string | null }) => undone_by === null,
  )
  assert.equal(standing.length, 2, 'the last undo, and the Solution')
})

test('an undo costs as much as it moves', async () => {
  const signals = []
  for (let at = 0; at < 60; at++) signals.push(await workspace.signal({ text: `The bell is number ${at}.` }))
  const claim = await workspace.claim('Bells', signals)
  const into = await workspace.claim('All bells', [await workspace.signal({ text: 'All bells.' })])
  const merged = await run('merge_claims', { claim_id: claim.id, into_claim_id: into.id, ...COMMENT })
  const { meta } = await undo(merged)
  assert.ok(meta.work_units > merged.meta.work_units, `${meta.work_units}`)
})

test('every table that a quota counts and calls write is counted when rows of it come back', () => {
  const counted = Object.values(QUOTAS).flatMap(quota => ('table' in quota ? [quota.table] : []))
  assert.deepEqual(
    counted.filter(table => !isKept(table)),
    [],
  )
})
