import { newReport } from '../../model/transfers/signals/imported-signals.ts'
import { newId, type TransferId } from '../../schemas/domain/ids.ts'
import type { OperationsKit, Workspace } from './testing.ts'
import { seedEverything } from './testing-seed.ts'

/** Real changes of the data of `seedEverything`, for tests over all writes. */

const COMMENT = { comment: 'The team agreed on it.' }

/** Fills a workspace with everything, and with the objects of the changes below. */
export const prepareChanges = async (kit: OperationsKit, workspace: Workspace) => {
  await seedEverything(kit, workspace, 'bell')
  const { pool } = kit.database
  // Answers of any shape, as parsed from JSON.
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
    theme: await one('select id from themes where workspace_id = $1 and number = 1'),
    otherTheme: await one('select id from themes where workspace_id = $1 and number = 2'),
    element: await one('select id from strategy_elements where workspace_id = $1'),
    comment: await one('select id from comments where workspace_id = $1'),
    repeat: await one(
      'select id from occurrences where workspace_id = $1 and id not in (select id from taken_out_repeats)',
    ),
  }
  /** Attached as by the judge. */
  const attachByJudge = async (text: string, claim = ids.claim) => {
    const { id } = await workspace.signal({ text })
    await pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       values ($1, $2, $3, 'judge', 'test', 'The same root problem.')`,
      [workspace.id, claim, id],
    )
    return id
  }
  for (const state of ['Planned', 'In Progress'])
    await run('update_solution', { solution_id: ids.open, state, ...COMMENT })
  const boosted = await run('prioritize_solution', { solution_id: ids.open, priority_boost: 3, ...COMMENT })
  const prepared = {
    another: await attachByJudge('Another bell rings.', ids.apart),
    short: await attachByJudge('The rope is short.'),
    loud: await attachByJudge('The bell is too loud.'),
    boosted: boosted.decision.id as string,
    rope: (await run('add_map_node', { name: 'Rope' })).id as string,
    noted: (await workspace.run('save_knowledge', { id: ids.open, text: 'It is bronze.' })).meta.change_id ?? '',
  }
  return {
    /** The seeded objects by kind. */
    ids,
    prepared,
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

/** One real change of each undoable kind; some make their object first. */
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
  ['triage_signals', ({ ids }) => ({ action: 'gather', signal_ids: [ids.signal] })],
  [
    'triage_signals',
    ({ ids, prepared }) => ({ action: 'gather', signal_ids: [ids.evidence, prepared.another], ...COMMENT }),
  ],
  [
    'triage_signals',
    ({ ids }) => ({
      action: 'gather',
      signal_ids: [ids.signal],
      theme_id: ids.theme,
      refused_signal_ids: [ids.evidence],
    }),
  ],
  ['update_theme', ({ ids }) => ({ theme_id: ids.theme, name: 'Bells that crack', standing: 'pinned' })],
  [
    'update_theme',
    ({ ids }) => ({ theme_id: ids.theme, signal_ids: [ids.signal], refused_signal_ids: [ids.evidence] }),
  ],
  ['triage_signals', ({ ids }) => ({ action: 'gather', signal_ids: [ids.signal], makes_solution: true })],
  ['place_signals', ({ ids }) => ({ places: [{ signal_id: ids.signal, node_id: ids.node }] })],
  ['add_map_nodes', ({ ids }) => ({ nodes: [{ name: 'Yoke', theme_id: ids.theme }, { name: 'Wheel' }] })],
  ['update_theme', ({ ids }) => ({ theme_id: ids.theme, same_theme_ids: [ids.otherTheme] })],
  ['update_theme', ({ ids }) => ({ theme_id: ids.theme, split_signal_ids: [ids.signal] })],
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

/** A change in an empty workspace; it makes its own object. */
type FirstChange = (kit: OperationsKit, workspace: Workspace) => object | Promise<object>

const NAME = 'Test workspace'

const made = async (workspace: Workspace, name: string, input: object): Promise<ReturnType<typeof JSON.parse>> =>
  (await workspace.run(name, input)).data

const account = async ({ database }: OperationsKit): Promise<{ readonly id: string; readonly email: string }> => {
  const id = newId()
  const email = `${id}@example.com`
  await database.pool.query(`insert into account_users (id, name, email) values ($1, 'Colleague', $2)`, [id, email])
  return { id, email }
}

const member = async (kit: OperationsKit, { id }: Workspace, role = 'member'): Promise<string> => {
  const person = await account(kit)
  await kit.database.pool.query('insert into members (workspace_id, user_id, role) values ($1, $2, $3)', [
    id,
    person.id,
    role,
  ])
  return person.id
}

const REPORT = { ...newReport(), records: 1, accepted: 1 }

const upload = async ({ database }: OperationsKit, { id: workspaceId }: Workspace, report: object | null = null) => {
  const id = newId<TransferId>()
  await database.pool.query(
    `insert into transfers (id, workspace_id, direction, format, name, complete, bytes, started_by, report)
     values ($1, $2, 'import', 'json_lines', 'notes', true, 4, 'Owner', $3)`,
    [id, workspaceId, report],
  )
  await database.pool.query(
    `insert into transfer_pieces (workspace_id, transfer_id, starts_at, bytes, sealed) values ($1, $2, 0, 4, 'none')`,
    [workspaceId, id],
  )
  return id
}

const administrator = async (kit: OperationsKit): Promise<string> => {
  const { id } = await account(kit)
  await kit.database.pool.query('insert into administrators (user_id) values ($1) on conflict do nothing', [id])
  return id
}

const sandbox = async ({ database }: OperationsKit, { id }: Workspace): Promise<object> => {
  await database.pool.query('update workspaces set sandbox = true where id = $1', [id])
  return {}
}

/** One real change of each kind that cannot be undone. */
export const FOR_GOOD: Readonly<Record<string, FirstChange>> = {
  read_mentions: async (kit, workspace) => {
    const { id } = await workspace.claim('The bell is cracked')
    await kit.database.pool.query(`update account_users set name = 'Bell' where id = $1`, [workspace.caller.userId])
    await made(workspace, 'write_comment', { id, text: '@Bell, is it cracked?' })
    return {}
  },
  replay_dead_letters: async (_, workspace) => {
    await workspace.deadLetter({ step: 'embed', sealed: false, message: 'bell' })
    return { all: true }
  },
  erase_person: async (_, workspace) => {
    await workspace.signal({ text: 'It hangs.', actorName: 'Ada', actorKey: 'key of ada@example.com' })
    return { person: { address: 'ada@example.com', name: 'Ada' }, actors: [], masks_words: false, confirm: NAME }
  },
  erase_signal: async (_, workspace) => ({ id: (await workspace.signal({ text: 'It hangs.' })).id, confirm: NAME }),
  erase_source: async (_, workspace) => {
    const { id } = await made(workspace, 'create_source', { kind: 'signal', name: 'Desk' })
    return { id, confirm: NAME }
  },
  take_back_import: async (kit, workspace) => {
    const id = await upload(kit, workspace)
    await kit.database.pool.query(
      `with job as (
         insert into jobs (id, workspace_id, kind, state, started_by, finished_at)
         values (gen_random_uuid(), $1, 'import', 'done', 'Owner', now()) returning id)
       update transfers set job_id = job.id from job where transfers.id = $2`,
      [workspace.id, id],
    )
    await kit.database.pool.query(
      'insert into imported_rows (signal_id, workspace_id, transfer_id) values ($3, $1, $2)',
      [workspace.id, id, (await workspace.signal({ text: 'It hangs in the export.' })).id],
    )
    return { id, confirm: NAME }
  },
  resume_erasure: async (kit, workspace) => {
    const { id } = await made(workspace, 'erase_signal', {
      id: (await workspace.signal({ text: 'It hangs.' })).id,
      confirm: NAME,
    })
    await kit.database.pool.query(`update jobs set state = 'failed', finished_at = now() where workspace_id = $1`, [
      workspace.id,
    ])
    return { id }
  },
  make_administrator: async kit => ({ email: (await account(kit)).email }),
  make_reset_link: async kit => {
    const { id, email } = await account(kit)
    await kit.database.pool.query(
      `insert into account_credentials (id, user_id, account_id, provider_id, password)
       values (gen_random_uuid(), $1::uuid, $1::uuid::text, 'credential', 'x')`,
      [id],
    )
    return { email }
  },
  remove_administrator: async kit => ({ user_id: await administrator(kit) }),
  remove_two_factor: async kit => {
    const { id, email } = await account(kit)
    await kit.database.pool.query('update account_users set two_factor_enabled = true where id = $1', [id])
    return { email }
  },
  cancel_job: async (_, workspace) => ({ id: (await made(workspace, 'start_job', { job_kind: 're_judge' })).id }),
  start_job: () => ({ job_kind: 're_judge' }),
  create_key: () => ({ label: 'Agent' }),
  delete_key: async (_, workspace) => ({ id: (await made(workspace, 'create_key', { label: 'Agent' })).id }),
  accept_invitation: async (kit, { caller }) => {
    const elsewhere = await kit.workspace()
    const { url } = await made(elsewhere, 'invite_member', { label: caller.userName, role: 'member' })
    return { token: url.split('#')[1] }
  },
  change_role: async (kit, workspace) => ({ user_id: await member(kit, workspace), role: 'viewer' }),
  invite_member: () => ({ label: 'Ada', role: 'owner' }),
  remove_member: async (kit, workspace) => ({ user_id: await member(kit, workspace) }),
  revoke_invitation: async (_, workspace) => ({
    id: (await made(workspace, 'invite_member', { label: 'Ada', role: 'viewer' })).id,
  }),
  set_digest: () => ({ every: 'never' }),
  show_less_likely: () => ({}),
  pause_step: async ({ database }) => {
    await database.pool.query('delete from paused_steps')
    return { step: 'embed', reason: 'The model moves.' }
  },
  resume_step: async ({ database }, workspace) => {
    await database.pool.query('delete from paused_steps')
    await workspace.inApp('pause_step', { step: 'embed', reason: 'The model moves.' }, 'administrator')
    return { step: 'embed' }
  },
  set_retention: () => ({
    signals_days: null,
    keeps_evidence: true,
    activity_days: 400,
    dead_letters_days: null,
    jobs_days: null,
    confirm: NAME,
  }),
  start_review: () => ({}),
  capture_signal: () => ({ text: 'The bell is cracked.', actor_name: 'Ada' }),
  delete_source: async (_, workspace) => ({
    id: (await made(workspace, 'create_source', { kind: 'metric', name: 'Rings' })).id,
  }),
  remove_test_signals: () => ({}),
  rotate_source_secret: async (_, workspace) => ({
    id: (await made(workspace, 'create_source', { kind: 'metric', name: 'Rings' })).id,
  }),
  check_import: async (kit, workspace) => ({ id: await upload(kit, workspace) }),
  discard_transfer: async (kit, workspace) => ({ id: await upload(kit, workspace) }),
  start_export: () => ({}),
  start_import: async (kit, workspace) => ({ id: await upload(kit, workspace, REPORT) }),
  create_workspace: async ({ database }, { caller }) => {
    await database.pool.query(`insert into tenants (id, name) values ($1, 'Tenant')`, [caller.tenantId])
    return { name: 'Another' }
  },
  delete_workspace: () => ({ confirm: NAME }),
  dismiss_first_steps: () => ({ dismissed: true }),
  remove_sandbox: sandbox,
  rename_workspace: () => ({ name: 'Belfry' }),
  replace_ingestion_address: async (_, workspace) => ({
    id: (await made(workspace, 'create_source', { kind: 'email', name: 'Mail' })).id,
  }),
  reset_sandbox: sandbox,
  set_workspace_rules: () => ({ learns: false }),
}
