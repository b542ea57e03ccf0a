import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { KEPT_TABLES } from '../../../model/undo/changed-rows.ts'
import { deleteOldChanges } from '../../../model/undo/changes.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { CallResult } from '../call/contract.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

/** Of which changes an undo is offered, by whom and until when, and what it refuses. */
let kit: OperationsKit
let workspace: Workspace
let ids: { readonly evidence: string; readonly open: string }

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  const signal = await workspace.signal({ text: 'The bell hangs.' })
  const claim = await workspace.claim('The bell hangs', [signal])
  await run('create_solution', { title: 'Mend the bell', claim_ids: [claim.id], ...COMMENT })
  const { solution } = data(await run('create_solution', { title: 'Melt the bell', claim_ids: [claim.id], ...COMMENT }))
  ids = { evidence: signal.id, open: solution.id }
})
after(() => kit.stop())

const run = (name: string, input: object): Promise<CallResult> => workspace.run(name, input)
// Answers of every shape, as read from JSON.
const data = ({ data }: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(data))
const COMMENT = { comment: 'The team agreed on it.' }

test('a write that changes nothing, and one that cannot be undone, answer no change id', async () => {
  const accept = { action: 'accept', signal_id: ids.evidence }
  await run('triage', accept)
  assert.equal((await run('triage', accept)).meta.change_id, null)
  assert.equal((await run('capture_signal', { text: 'It rings at night.' })).meta.change_id, null)
  assert.equal((await run('start_job', { job_kind: 're_judge' })).meta.change_id, null)
  const rotated = await run('create_connection', { name: 'Chat' })
  assert.ok(rotated.meta.change_id)
  const { id } = data(rotated)
  assert.equal((await run('update_source', { id, rotate_secret: true, name: 'Chats' })).meta.change_id, null)
})

test('a change is undone only when nothing newer stands on it, and the newer one is named', async () => {
  const first = await run('update_solution', { solution_id: ids.open, summary: 'First.', ...COMMENT })
  const second = await run('update_solution', { solution_id: ids.open, summary: 'Second.', ...COMMENT })
  const beside = await run('prioritize_solution', { solution_id: ids.open, priority_boost: 4, ...COMMENT })
  const newer = second.meta.change_id ?? ''
  await assert.rejects(
    run('undo_change', { change_id: first.meta.change_id }),
    failsWith('conflict', new RegExp(newer)),
  )
  const listed = data(await run('list_my_changes', { limit: 3 })).items
  assert.deepEqual(
    listed.map(({ change_id, is_undoable, blocked_by }: Record<string, unknown>) => [
      change_id,
      is_undoable,
      blocked_by,
    ]),
    [
      [beside.meta.change_id, true, null],
      [newer, true, null],
      [first.meta.change_id, false, newer],
    ],
  )
  assert.deepEqual([listed[0].operation, listed[0].objects[0].reference], ['prioritize_solution', 'SOL-2'])
  const page = await run('list_my_changes', { limit: 1 })
  const next = await run('list_my_changes', { limit: 1, cursor: page.meta.next_cursor })
  assert.deepEqual(
    [data(page), data(next)].map(({ items }) => items[0].change_id),
    [beside.meta.change_id, newer],
  )
  const undone = await run('undo_change', { change_id: newer })
  assert.equal(data(await run('list_my_changes', { limit: 3 })).items[2].undone_by, undone.meta.change_id)
  await run('undo_change', { change_id: first.meta.change_id })
  const { text, priority_boost } = data(await run('lookup_solution', { id: ids.open }))
  assert.deepEqual([text, priority_boost], ['', 4])
})

test('a Solution is not taken back while a later change is about it', async () => {
  const created = await run('create_solution', { title: 'Cast a new one', ...COMMENT })
  const { id } = data(created).solution
  const note = await run('save_knowledge', { id, text: 'Bronze is dear.' })
  await assert.rejects(
    run('undo_change', { change_id: created.meta.change_id }),
    failsWith('conflict', /save_knowledge/),
  )
  await run('undo_change', { change_id: note.meta.change_id })
  assert.equal(data(await run('undo_change', { change_id: created.meta.change_id })).is_changed, true)
  assert.equal(data(await run('lookup_solution', { id })).state, 'Dropped')
})

test('what would come back is refused where its name is another’s by now', async () => {
  const group = { action: 'create', name: 'Peal', ...COMMENT }
  const { id } = data(await run('change_group', group)).group
  const deleted = await run('change_group', { action: 'delete', group_id: id, ...COMMENT })
  await run('change_group', { ...group, name: 'peal' })
  await assert.rejects(run('undo_change', { change_id: deleted.meta.change_id }), failsWith('conflict', /the name/))
})

test('each change made on one Decision is taken back on its own, and the Decision stands for the others', async () => {
  const logged = await run('log_decision', { statement: 'The open one matters.', about: [ids.open] })
  const decision_id = data(logged).id
  const named = await run('update_solution', { solution_id: ids.open, title: 'Melt all of it', decision_id })
  const boosted = await run('prioritize_solution', { solution_id: ids.open, priority_boost: 9, decision_id })
  await assert.rejects(
    run('undo_change', { change_id: logged.meta.change_id }),
    failsWith('conflict', /prioritize_solution/),
  )
  await run('undo_change', { change_id: named.meta.change_id })
  const read = async () => data(await run('lookup_decision', { id: decision_id })).decision
  assert.equal((await read()).reversed_by, null)
  await run('undo_change', { change_id: boosted.meta.change_id })
  const withdrawn = data(await run('undo_change', { change_id: logged.meta.change_id, comment: 'It does not.' }))
  assert.equal((await read()).reversed_by, withdrawn.decision.reference)
})

test('a Decision of which one change was taken back is reversed for the others', async () => {
  const { id: decision_id } = data(await run('log_decision', { statement: 'Bronze, and soon.', about: [ids.open] }))
  const named = await run('update_solution', { solution_id: ids.open, title: 'Bronze', decision_id })
  await run('prioritize_solution', { solution_id: ids.open, priority_boost: 8, decision_id })
  await run('change_roadmap', { action: 'place', solution_id: ids.open, horizon: 'later', decision_id })
  await run('undo_change', { change_id: named.meta.change_id })
  const { solutions } = (await workspace.inApp('reverse_decision', { decision_id })).data
  assert.deepEqual(Object.keys(solutions[0].changed).sort(), ['priority_boost', 'roadmap'])
})

test('the same key twice answers the same change; another member undoes it; a viewer, and another workspace, do not', async () => {
  const note = { id: ids.open, text: 'Once.' }
  const first = await workspace.run('save_knowledge', note, 'once')
  const { change_id } = first.meta
  assert.equal((await workspace.run('save_knowledge', note, 'once')).meta.change_id, change_id)
  await assert.rejects(workspace.inApp('undo_change', { change_id }, 'viewer'), failsWith('forbidden', /role member/))
  const stranger = await kit.workspace()
  await assert.rejects(stranger.call('service_decide', 'undo', { change_id }), failsWith('not_found'))
  await assert.rejects(run('undo_change', { change_id: newId() }), failsWith('not_found'))
  assert.equal((await workspace.inApp('undo_change', { change_id }, 'member')).data.is_changed, true)
  assert.deepEqual((await stranger.call('service_orient', 'my_changes')).data, { count: 0, items: [] })
})

test('what only people do, no key takes back; Done and Dropped come back in the app alone where the workspace says so', async () => {
  const connected = await workspace.inApp('create_source', { kind: 'metric', name: 'Peals' })
  assert.ok(connected.meta.change_id)
  const inApp = { change_id: connected.meta.change_id }
  await assert.rejects(run('undo_change', inApp), failsWith('forbidden', /in the app/))
  const undone = await workspace.inApp('undo_change', inApp)
  await assert.rejects(run('undo_change', { change_id: undone.meta.change_id }), failsWith('forbidden', /in the app/))

  const created = await run('create_solution', { title: 'Gild it', ...COMMENT })
  await workspace.inApp('set_workspace_rules', { requires_app_decisions: true })
  await assert.rejects(
    run('undo_change', { change_id: created.meta.change_id }),
    failsWith('forbidden', /made in the app/),
  )
  assert.equal((await workspace.inApp('undo_change', { change_id: created.meta.change_id })).data.is_changed, true)
})

test('nothing secret is kept of a change', async () => {
  const { rows } = await kit.database.pool.query(
    `select before, after from changed_rows where table_name = 'sources' and workspace_id = $1`,
    [workspace.id],
  )
  assert.ok(rows.length > 0)
  assert.doesNotMatch(JSON.stringify(rows), /secret/)
})

/** What the app's role may write that is no change of a member's, or that the database keeps by itself. */
const NOT_KEPT = new Set([
  'actor_weights',
  'audit_log',
  'changed_rows',
  'changes',
  'erasures',
  'idempotent_answers',
  'imported_rows',
  'jobs',
  'last_visits',
  'dismissed_first_steps',
  'test_signals',
  'learned_classifiers',
  'map_revisions',
  'mcp_keys',
  'occurrence_counts',
  'outbox',
  'priority_totals',
  'proposal_bars',
  'reference_counters',
  'retention',
  'search_entries',
  'signal_counts',
  'signal_terms',
  'solution_evidence',
  'state_changes',
  'transfer_pieces',
  'transfer_texts',
  'transfers',
])

test('every table that calls write is kept, or known to need it not', async () => {
  const { rows } = await kit.database.pool.query<{ name: string; kept: boolean }>(
    `select relname as name, exists (
        select from pg_trigger where tgrelid = pg_class.oid and tgname = relname || '_changes_kept') as kept
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and (has_any_column_privilege('assay_app', oid, 'insert, update') or has_table_privilege('assay_app', oid, 'delete'))`,
  )
  assert.deepEqual(
    rows
      .filter(({ kept }) => kept)
      .map(({ name }) => name)
      .sort(),
    Object.keys(KEPT_TABLES).sort(),
  )
  assert.deepEqual(new Set(rows.filter(({ kept }) => !kept).map(({ name }) => name)), NOT_KEPT)
})

test('changes are forgotten after 90 days, and say so', async () => {
  const { change_id } = (await run('save_knowledge', { id: ids.open, text: 'It is old.' })).meta
  await deleteOldChanges(kit.database.database, new Date(kit.now.getTime() + 91 * 86_400_000))
  await assert.rejects(run('undo_change', { change_id }), failsWith('not_found', /90 days/))
  assert.deepEqual(data(await run('list_my_changes', {})), { count: 0, items: [] })
  assert.deepEqual((await kit.database.pool.query('select id from changed_rows')).rows, [])
})
