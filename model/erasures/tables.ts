/** Treatment of a table by an erasure. A test compares the list with the schema. */
export type Treatment =
  /** Rows go with the signals: by this column, or by triggers and references. */
  | { readonly rows: string }
  /** Words are searched and masked. */
  | Words
  | { readonly kept: string }
  | { readonly cleared: string }

export interface Words {
  /** Text columns with their longest length in characters; null without one. */
  readonly texts: Readonly<Record<string, number | null>>
  readonly json?: readonly string[]
  /** Columns with lists of texts. */
  readonly lists?: readonly string[]
}

const BY_TRIGGERS = 'triggers'
const OF_PEOPLE = 'Who may enter. An account is deleted by its owner.'
export const NO_WORDS = 'Ids, numbers and times alone.'
const OF_THE_INSTALLATION = 'Nothing that a sender said: it is the installation’s.'
const LEARNED = 'Numbers that are learned again without them.'

export const TREATMENTS: Readonly<Record<string, Treatment>> = {
  signals: { rows: 'id' },
  occurrences: { rows: 'id' },
  signal_vectors: { rows: 'signal_id' },
  signal_terms: { rows: 'signal_id' },
  search_entries: { rows: 'id' },
  node_lessons: { rows: 'signal_id' },
  snoozes: { rows: 'signal_id' },
  taken_out_repeats: { rows: 'id' },
  dead_letters: { rows: 'signal_id' },
  imported_rows: { rows: 'signal_id' },
  solution_evidence: { rows: 'signal_id' },
  theme_members: { rows: 'signal_id' },
  theme_answers: { rows: 'signal_id' },
  priority_totals: { rows: BY_TRIGGERS },
  signal_counts: { rows: BY_TRIGGERS },
  occurrence_counts: { rows: BY_TRIGGERS },

  actor_weights: { texts: { source: null } },
  claim_evidence: { texts: { reason: null }, json: ['lost_candidates'] },
  claims: { texts: { title: 300, statement: null } },
  merge_proposals: { texts: { reason: null, decided_reason: null } },
  merges: { texts: { reason: null }, json: ['lost_candidates'] },
  decisions: { texts: { statement: 4000 } },
  decision_objects: { texts: {}, json: ['change'] },
  solutions: { texts: { title: 300, summary: 20_000 } },
  themes: { texts: { name: 200 } },
  handoff_proposals: { texts: { title: null, url: null, branch: null } },
  living_documents: { texts: { markdown: 100_000 }, lists: ['section'] },
  outcomes: { texts: { expectation: 1500, observation: 3000 } },
  knowledge_notes: { texts: { text: 2000 } },
  comments: { texts: { text: 4000 } },
  strategy_elements: { texts: { title: 300, summary: 6000 } },
  product_reviews: { texts: { title: 300, text: null }, json: ['figures'] },
  map_nodes: { texts: { description: 4000 }, lists: ['examples'] },
  jobs: { texts: { message: null }, json: ['input'] },
  transfers: { texts: { name: 200 }, json: ['reading', 'report'] },
  test_signals: { texts: { text: null } },
  changed_rows: { texts: {}, json: ['before', 'after'] },
  imported_edits: { texts: {}, json: ['was'] },
  outbox: { texts: {}, json: ['activity'] },

  idempotent_answers: { cleared: 'Answers of a day that would be given again hold what was read.' },
  transfer_pieces: { cleared: 'Files of a day, sealed: an export has everybody, an upload is whatever it is.' },
  transfer_texts: { cleared: 'They go with the file.' },

  theme_settings: { kept: 'A name of a theme that people gave is theirs to change.' },
  groups: { kept: 'A name of a group that people gave is theirs to change.' },
  learned_classifiers: { kept: LEARNED },
  embedding_calibrations: { kept: LEARNED },
  embedding_fingerprints: { kept: OF_THE_INSTALLATION },
  proposal_bars: { kept: LEARNED },
  theme_successors: { kept: 'Numbers and ids of themes.' },
  theme_runs: { kept: 'Numbers, the name of a model, and the mean of all vectors.' },
  map_node_vectors: { kept: 'Made of the team’s own words.' },
  map_revisions: { kept: 'Numbers, and the name of a model.' },
  mentions: { kept: NO_WORDS },
  reference_counters: { kept: NO_WORDS },
  sources: { kept: 'What the team calls a way in; its secret is no sender’s.' },
  metric_points: { kept: NO_WORDS },
  metric_bindings: { kept: 'What the team calls a metric.' },
  decision_reversals: { kept: NO_WORDS },
  state_changes: { kept: NO_WORDS },
  solution_claims: { kept: NO_WORDS },
  handoffs: { kept: 'A link that a member gave.' },
  outcome_points: { kept: NO_WORDS },
  group_solutions: { kept: NO_WORDS },
  strategy_claims: { kept: NO_WORDS },
  strategy_solutions: { kept: NO_WORDS },
  roadmap_items: { kept: NO_WORDS },
  changes: { kept: 'Who changed something: members.' },
  workspaces: { kept: OF_THE_INSTALLATION },
  tenants: { kept: OF_THE_INSTALLATION },
  members: { kept: OF_PEOPLE },
  invitations: { kept: OF_PEOPLE },
  mcp_keys: { kept: OF_PEOPLE },
  last_visits: { kept: OF_PEOPLE },
  dismissed_first_steps: { kept: OF_PEOPLE },
  account_users: { kept: OF_PEOPLE },
  account_sessions: { kept: OF_PEOPLE },
  account_credentials: { kept: OF_PEOPLE },
  account_two_factors: { kept: OF_PEOPLE },
  account_passkeys: { kept: OF_PEOPLE },
  account_verifications: { kept: OF_PEOPLE },
  administrators: { kept: OF_PEOPLE },
  administration_changes: { kept: OF_PEOPLE },
  audit_log: { kept: 'Who did what: ids, and names that people and their teams gave. Nothing that a sender said.' },
  paused_steps: { kept: OF_THE_INSTALLATION },
  processor_reports: { kept: OF_THE_INSTALLATION },
  outgoing_mail: { kept: 'Sealed, to members and those whom they invite; what is sent goes within a day.' },
  incident_limit: { kept: OF_THE_INSTALLATION },
  installation_key: { kept: OF_THE_INSTALLATION },
  schema_migrations: { kept: OF_THE_INSTALLATION },
  moves: { kept: OF_THE_INSTALLATION },
  retention: { kept: 'Days, and the owner who set them.' },
  erasures: { kept: 'That something was erased, and nothing of it.' },
  erasure_marks: { kept: 'Keyed hashes, by which nothing comes back.' },
  rewrites: { cleared: 'Sealed, until the files are written anew and were searched.' },
  erasure_items: { cleared: 'They go with the end of their erasure.' },
  erasure_quotes: { cleared: 'They go with the end of their erasure.' },
}

/**
 * Text columns in which no words are searched, in tables where other columns are. A test checks that every text column
 * is searched, limited to our own words, or listed here.
 */
export const COLUMNS_WITHOUT_WORDS: Readonly<Record<string, readonly string[]>> = {
  'Who sent it, by which the person is found: it goes with the row.': [
    'signals.actor_name',
    'signals.actor_email',
    'signals.actor_key',
    'occurrences.actor_name',
    'occurrences.actor_email',
    'occurrences.actor_key',
  ],
  'Made of what the signals have, by triggers.': ['actor_weights.actor', 'actor_weights.actor_name'],
  'Who of the team or which model did it, and through which key.': [
    'claim_evidence.actor',
    'comments.author_name',
    'comments.key_label',
    'decisions.key_label',
    'decisions.made_by_name',
    'jobs.cancelled_by',
    'jobs.started_by',
    'knowledge_notes.author_name',
    'knowledge_notes.key_label',
    'living_documents.author_name',
    'living_documents.key_label',
    'merge_proposals.decided_by',
    'merge_proposals.found_by',
    'merge_proposals.judged_by',
    'merges.actor',
    'merges.undone_by',
    'node_lessons.moved_by',
    'outcomes.author_name',
    'outcomes.key_label',
    'product_reviews.prepared_by',
    'snoozes.snoozed_by',
    'transfers.started_by',
  ],
  'Names of ours, of models and of repositories; ids; places in a table.': [
    'changed_rows.columns',
    'changed_rows.key',
    'changed_rows.table_name',
    'dead_letters.error_class',
    'dead_letters.message',
    'dead_letters.step',
    'dead_letters.topic',
    'dead_letters.trace_id',
    'handoff_proposals.repository',
    'imported_edits.after',
    'imported_edits.before',
    'jobs.cursor',
    'occurrences.channel',
    'occurrences.actor_role',
    'occurrences.signal_origin',
    'search_entries.kind',
    'search_entries.model',
    'signal_counts.classification',
    'signal_counts.state',
    'signal_vectors.model',
    'signals.classification_version',
    'state_changes.from_state',
    'state_changes.to_state',
    'test_signals.channel',
    'theme_members.language',
    'transfers.encoding',
  ],
}

/** Tables in which words are searched. */
export const TABLES_WITH_WORDS: readonly (readonly [table: string, words: Words])[] = Object.entries(
  TREATMENTS,
).flatMap(([table, treatment]) => ('texts' in treatment ? [[table, treatment] as const] : []))

/** Tables whose rows go by a signal's id, with the column. */
export const TABLES_BY_SIGNAL: readonly (readonly [table: string, column: string])[] = [
  ...Object.entries(TREATMENTS).flatMap(([table, treatment]) =>
    'rows' in treatment && treatment.rows !== BY_TRIGGERS ? [[table, treatment.rows] as const] : [],
  ),
  ['claim_evidence', 'signal_id'],
  ['comments', 'signal_id'],
  ['imported_edits', 'signal_id'],
  ['occurrences', 'signal_id'],
  ['taken_out_repeats', 'original_id'],
]
