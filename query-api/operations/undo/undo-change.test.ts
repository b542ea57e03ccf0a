import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { KEPT_TABLES, type KeptTable, keptTable } from '../../../model/undo/changed-rows.ts'
import { deleteOldChanges } from '../../../model/undo/changes.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { CallResult } from '../call/contract.ts'
import type { Operation } from '../define.ts'
import { registry } from '../registry.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { seedEverything } from '../testing-seed.ts'

let kit: OperationsKit
let workspace: Workspace
/** What the seed made, by what it is. */
let ids: Awaited<ReturnType<typeof idsOf>>
let prepared: Readonly<Record<'short' | 'loud' | 'boosted' | 'rope' | 'noted', string>>
let readAtFirst: string

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'bell')
  ids = await idsOf()
  for (const state of ['Planned', 'In Progress'])
    await run('update_solution', { solution_id: ids.open, state, ...COMMENT })
  const boosted = await run('prioritize_solution', { solution_id: ids.open, priority_boost: 3, ...COMMENT })
  prepared = {
    short: await attachByJudge('The rope is short.'),
    loud: await attachByJudge('The bell is too loud.'),
    boosted: data(boosted).decision.id,
    rope: data(await run('add_map_node', { name: 'Rope' })).id,
    noted: (await run('save_knowledge', { id: ids.open, text: 'It is bronze.' })).meta.change_id ?? '',
  }
  readAtFirst = await whatReadsAnswer()
})
after(() => kit.stop())

const one = async (select: string): Promise<string> =>
  (await kit.database.pool.query(`${select.replace('$1', `'${workspace.id}'`)}`)).rows[0].id

const idsOf = async () => ({
  signal: await one(`select id from signals where workspace_id = $1 and channel = 'email'`),
  evidence: await one(`select id from signals where workspace_id = $1 and number = 1`),
  claim: await one('select id from claims where workspace_id = $1 and number = 1'),
  apart: await one('select id from claims where workspace_id = $1 and number = 3'),
  done: await one('select id from solutions where workspace_id = $1 and number = 1'),
  open: await one('select id from solutions where workspace_id = $1 and number = 2'),
  proposal: await one(`select id from merge_proposals where workspace_id = $1 and state = 'waiting'`),
  node: await one('select id from map_nodes where workspace_id = $1'),
  metric: await one(`select id from sources where workspace_id = $1 and kind = 'metric'`),
  group: await one('select id from groups where workspace_id = $1'),
  element: await one('select id from strategy_elements where workspace_id = $1'),
  comment: await one('select id from comments where workspace_id = $1'),
  repeat: await one(
    'select id from occurrences where workspace_id = $1 and id not in (select id from taken_out_repeats)',
  ),
})

const run = async (name: string, input: object): Promise<CallResult> => {
  const operation = registry.get(name)
  assert.ok(operation, name)
  return workspace.run(operation, { ...input })
}
// Answers of every shape, as read from JSON.
const data = ({ data }: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(data))
/** As whoever may have made the change: an operation for people is called in the app. */
const undo = async (name: string, change_id: unknown): Promise<CallResult> =>
  registry.get(name)?.audience === 'people'
    ? await workspace.inApp('undo_change', { change_id })
    : await run('undo_change', { change_id })

/** As the judge attaches it. */
const attachByJudge = async (text: string) => {
  const { id } = await workspace.signal({ text })
  await kit.database.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
     values ($1, $2, $3, 'judge', 'test', 'The same root problem.')`,
    [workspace.id, ids.claim, id],
  )
  return id
}

const COMMENT = { comment: 'The team agreed on it.' }

/** One real change of each kind, on what the seed made; some make what they change first. */
const CHANGES: readonly (readonly [operation: string, input: () => object | Promise<object>])[] = [
  ['save_review', () => ({ title: 'May' })],
  ['attach_evidence', () => ({ signal_id: ids.signal, claim_id: ids.claim, reason: 'It says the same.' })],
  ['save_knowledge', () => ({ id: ids.open, text: 'The bell is cast.' })],
  ['create_connection', () => ({ name: 'Zendesk' })],
  ['update_source', () => ({ id: ids.metric, name: 'Rings a day', paused: true })],
  ['discard_dead_letters', () => ({ all: true, reason: 'They were tests.' })],
  ['create_solution', () => ({ title: 'Hang it higher', claim_ids: [ids.claim], ...COMMENT })],
  ['log_decision', () => ({ statement: 'We ring at noon.', about: [ids.open] })],
  ['hand_off_solution', () => ({ solution_id: ids.open, kind: 'design', url: 'https://assay.test/bell', ...COMMENT })],
  [
    'edit_living_document',
    () => ({ solution_id: ids.done, markdown: '# Other', version: versionOfDocument, ...COMMENT }),
  ],
  [
    'record_outcome',
    async () => {
      const version = data(await run('lookup_outcome', { id: ids.done })).outcome.version
      return {
        solution_id: ids.done,
        expectation: 'It rings.',
        observation: 'It does not.',
        verdict: 'missed',
        version,
        ...COMMENT,
      }
    },
  ],
  ['prioritize_solution', () => ({ solution_id: ids.open, manual_rank: 1, priority_boost: 2, ...COMMENT })],
  ['triage', () => ({ action: 'accept', signal_id: ids.signal })],
  ['triage', () => ({ action: 'dismiss', signal_id: ids.evidence })],
  ['triage', () => ({ action: 'reclassify', signal_id: ids.signal, classification: 'question' })],
  ['triage', () => ({ action: 'promote', signal_id: ids.signal, kind: 'problem' })],
  ['triage', () => ({ action: 'promote', signal_id: ids.signal, claim_id: ids.claim })],
  ['triage', () => ({ action: 'not_a_repeat', signal_id: ids.repeat })],
  ['triage', () => ({ action: 'confirm_merge', proposal_id: ids.proposal })],
  ['triage', () => ({ action: 'refuse_merge', proposal_id: ids.proposal })],
  ['triage', () => ({ action: 'undo', signal_id: prepared.short, claim_id: ids.claim })],
  ['triage_signals', async () => ({ action: 'snooze', more_signals: 3, signals: await versioned(ids.signal) })],
  [
    'triage_signals',
    async () => ({ action: 'duplicate', original_signal_id: ids.signal, signals: await versioned(ids.evidence) }),
  ],
  ['update_claim', () => ({ claim_id: ids.claim, state: 'established', title: 'The bell is cracked' })],
  [
    'update_solution',
    () => ({ solution_id: ids.open, title: 'Melt it', summary: 'Down.', state: 'Dropped', ...COMMENT }),
  ],
  ['update_solution', () => ({ solution_id: ids.open, remove_claim_ids: [ids.claim], ...COMMENT })],
  [
    'rank_solutions',
    () => ({ manual_rank: 3, solutions: [{ solution_id: ids.open }, { solution_id: ids.done }], ...COMMENT }),
  ],
  ['reverse_decision', () => ({ decision_id: prepared.boosted })],
  ['add_map_node', () => ({ name: 'Clapper', parent_id: ids.node })],
  ['update_map_node', () => ({ id: ids.node, name: 'Belfry', description: 'Where it hangs.' })],
  ['move_map_node', () => ({ id: prepared.rope, parent_id: ids.node })],
  ['move_signal', () => ({ signal_id: ids.signal, node_id: ids.node })],
  ['move_signal', () => ({ signal_id: ids.evidence })],
  ['remove_map_node', () => ({ id: ids.node, children: 'move' })],
  ['bind_metric', () => ({ id: ids.node, metric_id: ids.metric, direction: 'down_is_good', target: 3 })],
  ['unbind_metric', () => ({ id: ids.node, metric_id: ids.metric })],
  ['merge_claims', () => ({ claim_id: ids.apart, into_claim_id: ids.claim })],
  ['split_claim', () => ({ claim_id: ids.claim, signal_ids: [prepared.loud], title: 'Too loud' })],
  ['change_group', () => ({ action: 'create', name: 'Towers', solution_ids: [ids.open], ...COMMENT })],
  ['change_group', () => ({ action: 'add', group_id: ids.group, solution_ids: [ids.open], ...COMMENT })],
  ['change_group', () => ({ action: 'delete', group_id: ids.group, ...COMMENT })],
  ['change_roadmap', () => ({ action: 'place', solution_id: ids.open, horizon: 'now', position: 1, ...COMMENT })],
  ['change_strategy', () => ({ action: 'add', layer: 'vision', title: 'Silence', position: 1, ...COMMENT })],
  ['change_strategy', () => ({ action: 'move', strategy_id: ids.element, layer: 'bet', ...COMMENT })],
  ['change_strategy', () => ({ action: 'link', strategy_id: ids.element, claim_ids: [ids.claim], ...COMMENT })],
  ['change_strategy', () => ({ action: 'remove', strategy_id: ids.element, ...COMMENT })],
  ['create_source', () => ({ kind: 'metric', name: 'Rings' })],
  ['write_comment', () => ({ id: ids.claim, text: '@bell, is it cracked?' })],
  ['edit_comment', () => ({ comment_id: ids.comment, text: 'Nobody need look.' })],
  ['delete_comment', () => ({ comment_id: ids.comment })],
  ['assign_owner', () => ({ id: ids.open, owner: 'me' })],
  ['assign_owner', () => ({ id: ids.signal, owner: 'bell' })],
  ['undo_change', () => ({ change_id: prepared.noted })],
]
let versionOfDocument = 1

const versioned = async (id: string) => {
  const { rows } = await kit.database.pool.query('select version from signals where id = $1', [id])
  return [{ signal_id: id, version: rows[0].version }]
}

/** The tables that an undo leaves as they were, whatever is added to the others. */
const tables = (Object.keys(KEPT_TABLES) as KeptTable[]).filter(
  table => keptTable(table).isLog !== true && table !== 'decision_reversals',
)
const EVERY_ROW = tables
  .map(
    table => `
      select '${table} ' || coalesce(to_jsonb(kept) ->> 'id', left((to_jsonb(kept) - 'embedding')::text, 400)) as key,
        (to_jsonb(kept) - '{version,updated_at,changed_at,next_redrive_at}'::text[])::text as row
      from ${table} as kept where workspace_id = $1`,
  )
  .join(' union all ')

/** What every row says, but for versions and times. */
const rowsNow = async (): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await kit.database.pool.query<{ key: string; row: string }>({
    name: 'every row',
    text: EVERY_ROW,
    values: [workspace.id],
  })
  return new Map(rows.map(({ key, row }) => [key, row]))
}

/**
 * What is there beside what was there, or is other than it was. A row that keeps its reference for ever may stay,
 * retired.
 */
const differences = (then: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] => [
  ...[...then].filter(([key, row]) => now.get(key) !== row).map(([key, row]) => `was ${row}, is ${now.get(key)}`),
  ...[...now].flatMap(([key, row]) => {
    const table = key.slice(0, key.indexOf(' ')) as KeptTable
    return then.has(key) || keptTable(table).retire !== undefined ? [] : `new: ${row}`
  }),
]

const READS: readonly (readonly [operation: string, input: () => object])[] = [
  ['lookup_claim', () => ({ id: ids.claim })],
  ['lookup_claim', () => ({ id: ids.apart })],
  ['lookup_signal', () => ({ id: ids.signal })],
  ['lookup_signal', () => ({ id: ids.evidence })],
  ['lookup_solution', () => ({ id: ids.done })],
  ['lookup_solution', () => ({ id: ids.open })],
  ['lookup_outcome', () => ({ id: ids.done })],
  ['lookup_triage', () => ({})],
  ['lookup_proposals', () => ({})],
  ['lookup_group', () => ({})],
  ['lookup_backlog', () => ({})],
  ['orient_strategy', () => ({})],
  ['orient_roadmap', () => ({})],
  ['read_map', () => ({})],
  ['list_sources', () => ({})],
]
/** Of what was decided and when there is more with every change and every undo. */
const GROWS =
  /^(version|decisions?|history|via|key_label|author_name|next_call|.*_at|at|count|.*_on|.*_by|state_since|source|.*evidence_priority|.*score)$/

// A handoff that was withdrawn stays to be read.
const standing = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter(item => (item?.withdrawn_at ?? null) === null) : value

const whatReadsAnswer = async (): Promise<string> => {
  const answers = []
  for (const [name, input] of READS) answers.push([name, data(await run(name, input()))])
  return JSON.stringify(answers, (field, value) => (GROWS.test(field) ? undefined : standing(value)), 1)
}

test('every write is taken back by its change id, or says why it cannot be', () => {
  const tried = new Set(CHANGES.map(([name]) => name))
  const writes = [...registry.values()].filter(({ effect }) => effect !== 'read') as Extract<
    Operation,
    { effect: 'write' | 'destructive' }
  >[]
  const untold = writes
    .filter(
      ({ name, cannotBeUndone, worksAs }) =>
        worksAs === undefined && (cannotBeUndone === undefined) !== tried.has(name),
    )
    .map(({ name }) => name)
  assert.deepEqual(untold, [])
  for (const { name, role, worksAs, cannotBeUndone } of writes) {
    // Whoever may take a change back might have made it.
    if (worksAs === undefined && cannotBeUndone === undefined) assert.equal(role, 'member', name)
  }
})

for (const [at, [name, inputOf]] of CHANGES.entries()) {
  const action = inputOf.toString().match(/action: '(\w+)'/)?.[1] ?? ''
  test(`${name} ${action} is as if it had not been, once it is undone, and twice changes nothing more (${at})`, async () => {
    versionOfDocument = await currentDocument()
    const input = await inputOf()
    const then = await rowsNow()
    const { change_id } = (await run(name, input)).meta
    assert.ok(change_id, `${name} answers no change id`)
    // Of a third also that it is done again when the undo is undone: a row comes, changes or goes in one way only.
    const made = at % 3 === 0 ? await rowsNow() : null
    const undone = await undo(name, change_id)
    assert.deepEqual(differences(then, await rowsNow()), [])
    const twice = await undo(name, change_id)
    assert.deepEqual([data(twice).is_changed, twice.meta.change_id], [false, null])
    if (made === null) return
    const again = await undo(name, undone.meta.change_id)
    assert.deepEqual(differences(made, await rowsNow()), [], 'done again')
    await undo(name, again.meta.change_id)
  })
}

const currentDocument = async (): Promise<number> => {
  const newest = 'select version from living_documents where solution_id = $1 and newest'
  return (await kit.database.pool.query(newest, [ids.done])).rows[0].version
}

test('what reads answer after all of it is what they answered before', async () => {
  const now = await whatReadsAnswer()
  assert.equal(now, readAtFirst)
})

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
  const operation = registry.get('save_knowledge')
  assert.ok(operation)
  const note = { id: ids.open, text: 'Once.' }
  const first = await workspace.run(operation, note, 'once')
  const { change_id } = first.meta
  assert.equal((await workspace.run(operation, note, 'once')).meta.change_id, change_id)
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
