import { newId, type TransferId } from '../../schemas/domain/ids.ts'
import type { OperationsKit, Workspace } from './testing.ts'
import type { OwnIds } from './testing-reach.ts'

/**
 * Puts at least one row of everything into a workspace, with `word` in each readable text: tests over the whole
 * registry look for the word where it must not be.
 */
export const seedEverything = async (
  kit: OperationsKit,
  workspace: Workspace,
  word: string,
  /** Texts of senders and their programs. */
  strange: string = word,
): Promise<void> => {
  // Answers of any shape, as parsed from JSON.
  const call = async (name: string, input: object): Promise<ReturnType<typeof JSON.parse>> =>
    (await workspace.run(name, input)).data
  const comment = `The ${word} was agreed on.`
  await addMember(kit, workspace, word)
  await call('create_key', { label: `${word} key` })
  await call('invite_member', { label: `${word} guest`, role: 'viewer' })

  const node = await call('add_map_node', { name: `${word} node` })
  const metric = await call('create_source', { kind: 'metric', name: `${word} metric` })
  await call('bind_metric', { id: node.id, metric_id: metric.id, direction: 'up_is_good' })
  await addMetricPoint(kit, workspace, metric.id)

  const who = { actorName: strange, source: strange, actorKey: strange }
  const signal = await workspace.signal({ ...who, text: `The ${strange} hangs.`, nodeId: node.id })
  await workspace.occurrence(signal.id, { ...who, text: `The ${strange} hung again.` })
  const other = await workspace.occurrence(signal.id, { ...who, text: `Another ${strange} sings.` })
  await call('triage', { action: 'not_a_repeat', signal_id: other, comment })
  await call('move_signal', { signal_id: signal.id, node_id: node.id })
  await workspace.signal({ ...who, text: `Mail of ${strange}.`, channel: 'email' })
  await addMetadata(kit, workspace, strange)
  await workspace.deadLetter({ step: 'embed', sealed: false, message: strange })
  const claim = await workspace.claim(`The ${strange} hangs`, [signal])
  const merged = await workspace.proposal(claim, await workspace.claim(`The ${strange} hung`))
  await call('triage', { action: 'confirm_merge', proposal_id: merged, comment })
  await workspace.proposal(claim, await workspace.claim(`Another ${strange}`))

  const { solution } = await call('create_solution', { title: `Mend the ${word}`, claim_ids: [claim.id], comment })
  const named = { solution_id: solution.id, comment }
  await call('save_knowledge', { id: solution.id, text: `A ${word} has bars.` })
  await call('write_comment', { id: solution.id, text: `@${word}, is the ${word} in tune?` })
  await call('edit_living_document', { ...named, markdown: `# ${word}` })
  await call('change_group', { action: 'create', name: `${word} group`, comment })
  await call('change_strategy', { action: 'add', layer: 'vision', title: `Every ${word} plays`, comment })
  await call('change_roadmap', { ...named, action: 'place', horizon: 'now' })
  for (const state of ['Planned', 'In Progress']) await call('update_solution', { ...named, state })
  await call('hand_off_solution', { ...named, kind: 'design', url: `https://assay.test/${encodeURIComponent(word)}` })
  await addPullRequest(kit, workspace, solution.id, strange)
  await call('update_solution', { ...named, state: 'Done' })
  const outcome = { expectation: `The ${word} plays.`, observation: `The ${word} played.`, verdict: 'met' }
  await call('record_outcome', { ...named, ...outcome })
  await call('save_review', { title: `${word} review` })
  await call('create_solution', { title: `Mend another ${word}`, claim_ids: [claim.id], comment })
  await addUpload(kit, workspace, word)
  await addTestSignal(kit, workspace, strange)
  await addThemes(kit, workspace, strange)
}

/** The first object of each kind that an operation can identify, by table. */
export const firstOf = async ({ database }: OperationsKit, { id }: Workspace): Promise<OwnIds> => {
  const { rows } = await database.pool.query(
    `select (select id from claims where workspace_id = $1 and number = 1) as claims,
       (select id from solutions where workspace_id = $1 and number = 1) as solutions,
       (select id from signals where workspace_id = $1 and number = 1) as signals,
       (select id from decisions where workspace_id = $1 and number = 1) as decisions,
       (select id from comments where workspace_id = $1) as comments,
       (select id from groups where workspace_id = $1) as groups,
       (select id from themes where workspace_id = $1 and number = 1) as themes,
       (select id from sources where workspace_id = $1) as sources,
       (select id from map_nodes where workspace_id = $1) as map_nodes`,
    [id],
  )
  return rows[0]
}

const ADD_THEMES = `
  with theme as (
    insert into themes (id, workspace_id, number, name, found_at, changed_at)
    select gen_random_uuid(), $1, number, $2, now(), now() from generate_series(1, 2) as number returning id
  ), counter as (
    insert into reference_counters (workspace_id, kind, last_number) values ($1, 'theme', 2)
  )
  insert into theme_members (theme_id, signal_id, workspace_id, likeness, language, quote_start, quote_length)
  select theme.id, signals.id, $1, 4, 'en', 0, 200 from theme, signals where workspace_id = $1`

/** Two themes over all signals. */
const addThemes = async ({ database }: OperationsKit, { id }: Workspace, strange: string): Promise<void> => {
  await database.pool.query(ADD_THEMES, [id, `${strange}, hangs`])
}

const addMember = async ({ database }: OperationsKit, { id, caller }: Workspace, word: string): Promise<void> => {
  await database.pool.query(
    `insert into account_users (id, name, email, email_verified, created_at, updated_at)
     values ($1, $2, $3, false, now(), now()) on conflict (id) do update set name = excluded.name`,
    [caller.userId, word, `${caller.userId}@example.com`],
  )
  await database.pool.query(
    `insert into members (workspace_id, user_id, role) values ($1, $2, 'owner') on conflict do nothing`,
    [id, caller.userId],
  )
}

const addMetadata = async ({ database }: OperationsKit, { id }: Workspace, word: string): Promise<void> => {
  const metadata = JSON.stringify({ subject: word, nested: { state: word, verdict: word } })
  await database.pool.query('update signals set metadata = $2 where workspace_id = $1', [id, metadata])
}

const addUpload = async ({ database }: OperationsKit, { id }: Workspace, word: string): Promise<void> => {
  await database.pool.query(
    `insert into transfers (id, workspace_id, direction, format, name, complete, bytes, started_by)
     values ($1, $2, 'import', 'csv', $3, true, 4, $3)`,
    [newId<TransferId>(), id, word],
  )
}

const addTestSignal = async ({ database, now }: OperationsKit, { id }: Workspace, word: string): Promise<void> => {
  await database.pool.query(
    `insert into test_signals (workspace_id, id, channel, text, received_at) values ($1, gen_random_uuid(), 'webhook', $2, $3)`,
    [id, `A test of ${word}.`, now],
  )
  await database.pool.query(
    `insert into erasures (id, workspace_id, what, asked_by, asked_by_name, finished_at, proof)
     values (gen_random_uuid(), $1, 'person', gen_random_uuid(), 'Owner', now(), '[]')`,
    [id],
  )
}

const addPullRequest = async (kit: OperationsKit, { id }: Workspace, solution: string, word: string): Promise<void> => {
  await kit.database.pool.query(
    `insert into handoff_proposals
       (workspace_id, solution_id, repository, number, title, url, branch, state, signal_id, occurred_at)
     values ($1, $2, $3, 1, $3, 'https://assay.test/pull/1', $3, 'merged', gen_random_uuid(), $4)`,
    [id, solution, word, kit.now],
  )
}

const addMetricPoint = async ({ database, now }: OperationsKit, { id }: Workspace, metric: string): Promise<void> => {
  await database.pool.query(
    `insert into metric_points
       (id, workspace_id, metric_id, value, occurred_at, dated, received_at, log_partition, log_offset, logged_at)
     values (gen_random_uuid(), $1, $2, 42, $3, true, $3, 0, 0, $3)`,
    [id, metric, now],
  )
}

/** Rows of the tables that the seed leaves empty, for the workspace `$1`. */
export const RARE = [
  `insert into snoozes (workspace_id, signal_id, until, snoozed_by, snoozed_at)
   select $1, id, now() + interval '1 day', 'Product manager', now() from signals where workspace_id = $1 order by number limit 1`,
  `insert into decision_reversals (workspace_id, decision_id, reversal_id, reversed_at)
   select $1, min(id::text)::uuid, max(id::text)::uuid, now() from decisions where workspace_id = $1`,
  `insert into outcome_points (workspace_id, outcome_id, metric_id, metric_point_id, value, occurred_at)
   select $1, outcomes.id, metric_id, metric_points.id, value, occurred_at
   from outcomes join metric_points using (workspace_id) where workspace_id = $1`,
  `insert into group_solutions (workspace_id, group_id, solution_id)
   select $1, groups.id, solutions.id from groups join solutions using (workspace_id) where workspace_id = $1`,
  `insert into strategy_claims (workspace_id, element_id, claim_id)
   select $1, strategy_elements.id, claims.id from strategy_elements join claims using (workspace_id) where workspace_id = $1`,
  `insert into strategy_solutions (workspace_id, element_id, solution_id)
   select $1, strategy_elements.id, solutions.id from strategy_elements join solutions using (workspace_id) where workspace_id = $1`,
  ...['signals', 'occurrences'].map(
    table => `update ${table} set cut_signature = 'Kim', cut_quoted = 'Which export?', cut_footer = 'Sent from a phone',
      cut_omitted = 7 where workspace_id = $1`,
  ),
]
