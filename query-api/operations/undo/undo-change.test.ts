import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { KEPT_TABLES, type KeptTable, keptTable } from '../../../model/undo/changed-rows.ts'
import type { CallResult } from '../call/contract.ts'
import type { Operation } from '../define.ts'
import { registry } from '../registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
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
  await attachByJudge('Another bell rings.', ids.apart)
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

const run = (name: string, input: object): Promise<CallResult> => workspace.run(name, input)
// Answers of every shape, as read from JSON.
const data = ({ data }: CallResult): ReturnType<typeof JSON.parse> => JSON.parse(JSON.stringify(data))
/** As whoever may have made the change: an operation for people is called in the app. */
const undo = async (name: string, change_id: unknown): Promise<CallResult> =>
  registry.get(name)?.audience === 'people'
    ? await workspace.inApp('undo_change', { change_id })
    : await run('undo_change', { change_id })

/** As the judge attaches it. */
const attachByJudge = async (text: string, claim = ids.claim) => {
  const { id } = await workspace.signal({ text })
  await kit.database.pool.query(
    `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
     values ($1, $2, $3, 'judge', 'test', 'The same root problem.')`,
    [workspace.id, claim, id],
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
