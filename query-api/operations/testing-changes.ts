import type { OperationsKit, Workspace } from './testing.ts'
import { seedEverything } from './testing-seed.ts'

/** Real changes of what `seedEverything` made, for tests over all writes. */

const COMMENT = { comment: 'The team agreed on it.' }

/** Puts everything into a workspace, and what the changes below are about. */
export const prepareChanges = async (kit: OperationsKit, workspace: Workspace) => {
  await seedEverything(kit, workspace, 'bell')
  const { pool } = kit.database
  // Answers of every shape, as read from JSON.
  const run = async (name: string, input: object): Promise<ReturnType<typeof JSON.parse>> =>
    JSON.parse(JSON.stringify((await workspace.run(name, input)).data))
  const one = async (select: string): Promise<string> =>
    (await pool.query(select.replace('$1', `'${workspace.id}'`))).rows[0].id
  const ids = {
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
  }
  /** As the judge attaches it. */
  const attachByJudge = async (text: string) => {
    const { id } = await workspace.signal({ text })
    await pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       values ($1, $2, $3, 'judge', 'test', 'The same root problem.')`,
      [workspace.id, ids.claim, id],
    )
    return id
  }
  for (const state of ['Planned', 'In Progress'])
    await run('update_solution', { solution_id: ids.open, state, ...COMMENT })
  const boosted = await run('prioritize_solution', { solution_id: ids.open, priority_boost: 3, ...COMMENT })
  const prepared = {
    short: await attachByJudge('The rope is short.'),
    loud: await attachByJudge('The bell is too loud.'),
    boosted: boosted.decision.id as string,
    rope: (await run('add_map_node', { name: 'Rope' })).id as string,
    noted: (await workspace.run('save_knowledge', { id: ids.open, text: 'It is bronze.' })).meta.change_id ?? '',
  }
  return {
    /** What the seed made, by what it is. */
    ids,
    prepared,
    /** Answers the data of a call. */
    run,
    versioned: async (id: string) => {
      const { rows } = await pool.query('select version from signals where id = $1', [id])
      return [{ signal_id: id, version: rows[0].version }]
    },
    versionOfDocument: async (): Promise<number> => {
      const newest = 'select version from living_documents where solution_id = $1 and newest'
      return (await pool.query(newest, [ids.done])).rows[0].version
    },
  }
}

export type Changes = Awaited<ReturnType<typeof prepareChanges>>
export type Change = readonly [operation: string, input: (made: Changes) => object | Promise<object>]

/** One real change of each kind that can be taken back; some make what they change first. */
export const CHANGES: readonly Change[] = [
  ['save_review', () => ({ title: 'May' })],
  ['attach_evidence', ({ ids }) => ({ signal_id: ids.signal, claim_id: ids.claim, reason: 'It says the same.' })],
  ['save_knowledge', ({ ids }) => ({ id: ids.open, text: 'The bell is cast.' })],
  ['create_connection', () => ({ name: 'Zendesk' })],
  ['update_source', ({ ids }) => ({ id: ids.metric, name: 'Rings a day', paused: true })],
  ['discard_dead_letters', () => ({ all: true, reason: 'They were tests.' })],
  ['create_solution', ({ ids }) => ({ title: 'Hang it higher', claim_ids: [ids.claim], ...COMMENT })],
  ['log_decision', ({ ids }) => ({ statement: 'We ring at noon.', about: [ids.open] })],
  [
    'hand_off_solution',
    ({ ids }) => ({ solution_id: ids.open, kind: 'design', url: 'https://assay.test/bell', ...COMMENT }),
  ],
  [
    'edit_living_document',
    async ({ ids, versionOfDocument }) => ({
      solution_id: ids.done,
      markdown: '# Other',
      version: await versionOfDocument(),
      ...COMMENT,
    }),
  ],
  [
    'record_outcome',
    async ({ ids, run }) => {
      const version = (await run('lookup_outcome', { id: ids.done })).outcome.version
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
  ['prioritize_solution', ({ ids }) => ({ solution_id: ids.open, manual_rank: 1, priority_boost: 2, ...COMMENT })],
  ['triage', ({ ids }) => ({ action: 'accept', signal_id: ids.signal })],
  ['triage', ({ ids }) => ({ action: 'dismiss', signal_id: ids.evidence })],
  ['triage', ({ ids }) => ({ action: 'reclassify', signal_id: ids.signal, classification: 'question' })],
  ['triage', ({ ids }) => ({ action: 'promote', signal_id: ids.signal, kind: 'problem' })],
  ['triage', ({ ids }) => ({ action: 'promote', signal_id: ids.signal, claim_id: ids.claim })],
  ['triage', ({ ids }) => ({ action: 'not_a_repeat', signal_id: ids.repeat })],
  ['triage', ({ ids }) => ({ action: 'confirm_merge', proposal_id: ids.proposal })],
  ['triage', ({ ids }) => ({ action: 'refuse_merge', proposal_id: ids.proposal })],
  ['triage', ({ ids, prepared }) => ({ action: 'undo', signal_id: prepared.short, claim_id: ids.claim })],
  [
    'triage_signals',
    async ({ ids, versioned }) => ({ action: 'snooze', more_signals: 3, signals: await versioned(ids.signal) }),
  ],
  [
    'triage_signals',
    async ({ ids, versioned }) => ({
      action: 'duplicate',
      original_signal_id: ids.signal,
      signals: await versioned(ids.evidence),
    }),
  ],
  ['update_claim', ({ ids }) => ({ claim_id: ids.claim, state: 'established', title: 'The bell is cracked' })],
  [
    'update_solution',
    ({ ids }) => ({ solution_id: ids.open, title: 'Melt it', summary: 'Down.', state: 'Dropped', ...COMMENT }),
  ],
  ['update_solution', ({ ids }) => ({ solution_id: ids.open, remove_claim_ids: [ids.claim], ...COMMENT })],
  [
    'rank_solutions',
    ({ ids }) => ({ manual_rank: 3, solutions: [{ solution_id: ids.open }, { solution_id: ids.done }], ...COMMENT }),
  ],
  ['reverse_decision', ({ prepared }) => ({ decision_id: prepared.boosted })],
  ['add_map_node', ({ ids }) => ({ name: 'Clapper', parent_id: ids.node })],
  ['update_map_node', ({ ids }) => ({ id: ids.node, name: 'Belfry', description: 'Where it hangs.' })],
  ['move_map_node', ({ ids, prepared }) => ({ id: prepared.rope, parent_id: ids.node })],
  ['move_signal', ({ ids }) => ({ signal_id: ids.signal, node_id: ids.node })],
  ['move_signal', ({ ids }) => ({ signal_id: ids.evidence })],
  ['remove_map_node', ({ ids }) => ({ id: ids.node, children: 'move' })],
  ['bind_metric', ({ ids }) => ({ id: ids.node, metric_id: ids.metric, direction: 'down_is_good', target: 3 })],
  ['unbind_metric', ({ ids }) => ({ id: ids.node, metric_id: ids.metric })],
  ['merge_claims', ({ ids }) => ({ claim_id: ids.apart, into_claim_id: ids.claim })],
  ['split_claim', ({ ids, prepared }) => ({ claim_id: ids.claim, signal_ids: [prepared.loud], title: 'Too loud' })],
  ['change_group', ({ ids }) => ({ action: 'create', name: 'Towers', solution_ids: [ids.open], ...COMMENT })],
  ['change_group', ({ ids }) => ({ action: 'add', group_id: ids.group, solution_ids: [ids.open], ...COMMENT })],
  ['change_group', ({ ids }) => ({ action: 'delete', group_id: ids.group, ...COMMENT })],
  [
    'change_roadmap',
    ({ ids }) => ({ action: 'place', solution_id: ids.open, horizon: 'now', position: 1, ...COMMENT }),
  ],
  ['change_strategy', () => ({ action: 'add', layer: 'vision', title: 'Silence', position: 1, ...COMMENT })],
  ['change_strategy', ({ ids }) => ({ action: 'move', strategy_id: ids.element, layer: 'bet', ...COMMENT })],
  ['change_strategy', ({ ids }) => ({ action: 'link', strategy_id: ids.element, claim_ids: [ids.claim], ...COMMENT })],
  ['change_strategy', ({ ids }) => ({ action: 'remove', strategy_id: ids.element, ...COMMENT })],
  ['create_source', () => ({ kind: 'metric', name: 'Rings' })],
  ['write_comment', ({ ids }) => ({ id: ids.claim, text: '@bell, is it cracked?' })],
  ['edit_comment', ({ ids }) => ({ comment_id: ids.comment, text: 'Nobody need look.' })],
  ['delete_comment', ({ ids }) => ({ comment_id: ids.comment })],
  ['assign_owner', ({ ids }) => ({ id: ids.open, owner: 'me' })],
  ['assign_owner', ({ ids }) => ({ id: ids.signal, owner: 'bell' })],
  ['undo_change', ({ prepared }) => ({ change_id: prepared.noted })],
]
