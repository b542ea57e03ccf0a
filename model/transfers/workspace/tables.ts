/** Export of one table. Its columns come from the database, without generated ones and the workspace's id. */
export interface ExportedTable {
  readonly table: string
  /** Order of its rows, each behind the rows that it refers to. An expression over `kept`. */
  readonly order: string
  /** Columns that stay behind, with the reason. */
  readonly excludedRows?: Readonly<Record<string, string>>
  /** Columns whose ids belong to no row of the workspace and stay unchanged: people, their keys, and senders' texts. */
  readonly outside?: readonly string[]
}

const OF_AN_AUTHOR = ['author_id'] as const

/** More than the limits of levels in `schemas/postgres/0008_map.sql` and `0013_claims.sql`. */
const MAX_LEVELS = 1000

/** Number of rows above a row: `map_nodes` up to the root, `claims` up to the survivor. */
const depth = (table: string, parent: string): string => `
  (with recursive upwards as (
    select kept.${parent} as above, 0 as depth
    union all
    select next.${parent}, depth + 1 from upwards join ${table} as next on next.id = upwards.above
    where depth < ${MAX_LEVELS}
  ) select max(depth) from upwards)`

const OF_PEOPLE = 'People and their keys belong to the installation, not to the workspace.'
const OWNER = { owner_id: OF_PEOPLE } as const

const SECRET =
  'Secrets stay where they are: a source that is imported gets one that nobody knows, until somebody rotates it.'

/** Every exported table, in the order of writing and reading. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    table: 'workspaces',
    order: 'kept.id',
    excludedRows: {
      id: 'The workspace that is imported into has its own.',
      tenant_id: 'Whose it is.',
      slug: 'Unique in an installation.',
      name: 'That of the workspace that is imported into stays; the first line has this one.',
      sandbox: 'Said when a workspace is made.',
      created_at: 'When the workspace was made.',
      created_by: 'Whose quota it counts for: that of whoever made the workspace that is imported into.',
      provisioned_by: 'As above.',
      id_mask: 'Ids are written without it.',
    },
  },
  { table: 'reference_counters', order: 'kept.kind' },
  {
    table: 'sources',
    order: 'kept.created_at, kept.id',
    excludedRows: {
      sealed_secret: SECRET,
      secret_hash: SECRET,
      previous_sealed_secret: SECRET,
      previous_secret_hash: SECRET,
      previous_valid_until: SECRET,
      changed_at: 'Tells the edge what to read again: the import is such a change.',
    },
  },
  { table: 'map_nodes', order: `${depth('map_nodes', 'parent_id')}, kept.created_at, kept.id` },
  { table: 'metric_points', order: 'kept.occurred_at, kept.received_at, kept.id' },
  { table: 'metric_bindings', order: 'kept.created_at, kept.node_id, kept.metric_id' },
  { table: 'signals', order: 'kept.number', outside: ['metadata'], excludedRows: OWNER },
  { table: 'node_lessons', order: 'kept.moved_at, kept.signal_id' },
  { table: 'snoozes', order: 'kept.snoozed_at, kept.signal_id' },
  { table: 'occurrences', order: 'kept.received_at, kept.id', outside: ['metadata'] },
  {
    table: 'taken_out_repeats',
    order: 'kept.taken_out_at, kept.id',
    excludedRows: { sent_at: 'Said of the log of this installation: another one sends it again.' },
  },
  { table: 'claims', order: `${depth('claims', 'merged_into')}, kept.number`, excludedRows: OWNER },
  { table: 'decisions', order: 'kept.number', outside: ['made_by', 'key_id'] },
  { table: 'solutions', order: 'kept.number', excludedRows: OWNER },
  {
    table: 'claim_evidence',
    order: 'kept.attached_at, kept.claim_id, kept.signal_id',
    excludedRows: { newest_at: 'Found anew from the signals and their repeats.' },
  },
  { table: 'merge_proposals', order: 'kept.proposed_at, kept.id' },
  { table: 'merges', order: 'kept.merged_at, kept.id' },
  { table: 'solution_claims', order: 'kept.solution_id, kept.claim_id' },
  { table: 'decision_objects', order: 'kept.id' },
  { table: 'decision_reversals', order: 'kept.reversed_at, kept.decision_id' },
  { table: 'handoff_proposals', order: 'kept.solution_id, kept.repository, kept.number' },
  { table: 'handoffs', order: 'kept.handed_off_at, kept.id', outside: OF_AN_AUTHOR },
  { table: 'living_documents', order: 'kept.solution_id, kept.version', outside: OF_AN_AUTHOR },
  { table: 'outcomes', order: 'kept.recorded_at, kept.id', outside: OF_AN_AUTHOR },
  { table: 'outcome_points', order: 'kept.outcome_id, kept.metric_point_id' },
  { table: 'knowledge_notes', order: 'kept.saved_at, kept.id', outside: OF_AN_AUTHOR },
  { table: 'comments', order: 'kept.written_at, kept.id', outside: OF_AN_AUTHOR },
  { table: 'groups', order: 'kept.created_at, kept.id' },
  { table: 'group_solutions', order: 'kept.group_id, kept.solution_id' },
  { table: 'strategy_elements', order: 'kept.layer, kept.position, kept.id' },
  { table: 'strategy_claims', order: 'kept.element_id, kept.claim_id' },
  { table: 'strategy_solutions', order: 'kept.element_id, kept.solution_id' },
  { table: 'roadmap_items', order: 'kept.horizon, kept.position, kept.solution_id' },
  { table: 'product_reviews', order: 'kept.prepared_at, kept.id' },
  { table: 'state_changes', order: 'kept.id' },
]

const MADE_BY_TRIGGERS = 'Kept by the tables’ own triggers from rows that are exported.'
const MADE_BY_MODELS = 'Made again by the embedding model after the import; a model elsewhere may be another one.'
const MADE_OF_TEXTS = 'Made again of the texts when a processor first looks for what shares words.'
const LEARNED = 'Learned again from the signals that people classified or accepted, which are exported.'
const FOUND_AGAIN = 'Found again from the signals.'
const OF_A_THEME = 'It hangs on a theme, which is another one where themes are found again.'
const COUNTS_CHANGES = 'Counts changes for the anchoring of this installation.'
const UNDONE_WHERE_MADE = 'What was done is taken back where it was done.'
const ERASED_HERE = 'What was erased was erased here; a file that was taken before has it.'
const OF_THE_PROGRAMS = 'What the programs have under way; it ends where it began.'

/** Every other table with a workspace's rows, and the reason why it is not exported. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  members: OF_PEOPLE,
  audit_log: 'Who did what here; an administrator takes it as a file of its own.',
  invitations: OF_PEOPLE,
  occurrence_counts: MADE_BY_TRIGGERS,
  mcp_keys: OF_PEOPLE,
  last_visits: OF_PEOPLE,
  mentions: OF_PEOPLE,
  dismissed_first_steps: OF_PEOPLE,
  test_signals: 'They tried out a source, and are no signals.',
  signal_vectors: MADE_BY_MODELS,
  map_node_vectors: MADE_BY_MODELS,
  embedding_calibrations: MADE_BY_MODELS,
  map_revisions: COUNTS_CHANGES,
  search_entries: MADE_BY_TRIGGERS,
  signal_terms: MADE_OF_TEXTS,
  signal_counts: MADE_BY_TRIGGERS,
  learned_classifiers: LEARNED,
  solution_evidence: MADE_BY_TRIGGERS,
  actor_weights: MADE_BY_TRIGGERS,
  priority_totals: MADE_BY_TRIGGERS,
  themes: FOUND_AGAIN,
  theme_members: FOUND_AGAIN,
  theme_runs: FOUND_AGAIN,
  theme_settings: OF_A_THEME,
  theme_successors: OF_A_THEME,
  theme_answers: OF_A_THEME,
  proposal_bars: 'Made again of the decisions on pairs when the next one comes.',
  dead_letters: 'No signals yet, and sealed where they may hold personal data: replay or discard them first.',
  outbox: OF_THE_PROGRAMS,
  idempotent_answers: OF_THE_PROGRAMS,
  changes: UNDONE_WHERE_MADE,
  changed_rows: UNDONE_WHERE_MADE,
  jobs: OF_THE_PROGRAMS,
  transfers: OF_THE_PROGRAMS,
  transfer_pieces: OF_THE_PROGRAMS,
  transfer_texts: OF_THE_PROGRAMS,
  imported_rows: 'Their ids are made for this workspace: of another, the file is new.',
  imported_edits: 'What an import edited is taken back where it was imported.',
  retention: 'How long something is kept is decided where it is kept.',
  erasures: ERASED_HERE,
  erasure_items: OF_THE_PROGRAMS,
  erasure_marks: ERASED_HERE,
  erasure_quotes: OF_THE_PROGRAMS,
}

const MADE_FROM_ROWS: ReadonlySet<string> = new Set([
  MADE_BY_TRIGGERS,
  MADE_BY_MODELS,
  MADE_OF_TEXTS,
  COUNTS_CHANGES,
  LEARNED,
])

/** Tables that are left out because their rows derive from exported rows. */
export const TABLES_MADE_FROM_ROWS: readonly string[] = Object.entries(TABLES_LEFT_OUT).flatMap(([table, why]) =>
  MADE_FROM_ROWS.has(why) ? [table] : [],
)
