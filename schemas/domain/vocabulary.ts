/**
 * The closed vocabularies of the product. Code, SQL checks, JSON schemas and the app all use these words. A change
 * needs a migration of the check of each column with the vocabulary, which `infra/postgres/vocabulary.test.ts` lists.
 */

export const SIGNAL_ORIGINS = ['customer', 'internal', 'operational'] as const
export type SignalOrigin = (typeof SIGNAL_ORIGINS)[number]

export const ACTOR_ROLES = ['user', 'pm', 'designer', 'engineer', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]

export const CLASSIFICATIONS = ['problem', 'idea', 'question', 'unclassified'] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** Classifications that something can be done about: each starts a claim. */
export const NEEDS = ['problem', 'idea'] as const
export type Need = (typeof NEEDS)[number]

/** The likely kind of a signal that nobody could classify: a need, or noise, which asks for nothing. */
export const PERHAPS = [...NEEDS, 'noise'] as const
export type Perhaps = (typeof PERHAPS)[number]

/** Why a signal is an occurrence of another. `member`: a person said so. */
export const OCCURRENCE_REASONS = ['same_text', 'near_duplicate', 'member'] as const
export type OccurrenceReason = (typeof OCCURRENCE_REASONS)[number]

export const SIGNAL_STATES = ['triage', 'accepted', 'dismissed'] as const
export type SignalState = (typeof SIGNAL_STATES)[number]

/** A person's judgement of a theme. `hidden` and `not_one_thing` are not listed; `pinned` comes first. */
export const THEME_STANDINGS = ['listed', 'pinned', 'hidden', 'not_one_thing'] as const
export type ThemeStanding = (typeof THEME_STANDINGS)[number]

export const CLAIM_KINDS = ['problem', 'opportunity'] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

export const CLAIM_STATES = ['emerging', 'established', 'addressed', 'dismissed'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

/** The attacher of a signal to a claim. `cluster`: the step, when the signal started the claim. */
export const EVIDENCE_ATTACHERS = ['cluster', 'judge', 'member'] as const

export const MERGE_PROPOSAL_STATES = ['waiting', 'set_aside', 'confirmed', 'refused'] as const

/** The decider of a merge of two claims. */
export const MERGERS = ['member', 'judge'] as const

/**
 * The rule for claims that a judge finds to be the same: people confirm the merge, or the judge merges. People confirm
 * all pairs that no judge decided on.
 */
export const WHO_MERGES = ['people', 'judge'] as const

export const SOLUTION_STATES = ['Backlog', 'Planned', 'In Progress', 'In Review', 'Done', 'Dropped'] as const
export type SolutionState = (typeof SOLUTION_STATES)[number]

/** The layers of the Strategy Stack, from the lasting to the tentative. */
export const STRATEGY_LAYERS = ['vision', 'objective', 'bet'] as const
export type StrategyLayer = (typeof STRATEGY_LAYERS)[number]

export const ROADMAP_HORIZONS = ['now', 'next', 'later'] as const
export type RoadmapHorizon = (typeof ROADMAP_HORIZONS)[number]

export const HANDOFF_KINDS = ['design', 'pull_request'] as const
export type HandoffKind = (typeof HANDOFF_KINDS)[number]

/** The last known state of a pull request that names a Solution. */
export const PULL_REQUEST_STATES = ['opened', 'reopened', 'merged'] as const

/** Edits of a Living Document, as a whole or in one section. */
export const DOCUMENT_EDITS = ['replace', 'append', 'insert', 'delete'] as const
export type DocumentEdit = (typeof DOCUMENT_EDITS)[number]

/** Results of a Done Solution, compared with its expectation. */
export const OUTCOME_VERDICTS = ['met', 'partly', 'missed', 'unclear'] as const
export type OutcomeVerdict = (typeof OUTCOME_VERDICTS)[number]

/** The meaning of a metric's change at a node of the map. */
export const METRIC_DIRECTIONS = ['up_is_good', 'down_is_good'] as const
export type MetricDirection = (typeof METRIC_DIRECTIONS)[number]

export const MEMBER_ROLES = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The scope of an agent's key: one workspace, or creating workspaces. */
export const KEY_SCOPES = ['workspace', 'provisioning'] as const

/** How an account came in. */
export const ADMISSIONS = ['first', 'invitation', 'open', 'sign_on'] as const

/** Changes of accounts by administrators and the operator. */
export const ADMINISTRATION_CHANGES = [
  'made_administrator',
  'administrator_no_more',
  'disabled',
  'enabled',
  'password_reset',
  'reset_link_made',
  'address_verified',
  'account_deleted',
] as const

/**
 * Actors in the audit log: a person, a person's key, the operator's command line, the installation itself, or nobody
 * known.
 */
export const AUDIT_ACTORS = ['person', 'key', 'operator', 'installation', 'nobody'] as const

/** Events of accounts in the audit log; its other actions are names of operations. */
export const ACCOUNT_EVENTS = [
  ...ADMINISTRATION_CHANGES,
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'name_changed',
  'password_changed',
  'address_changed',
  'address_change_asked',
  'sessions_ended',
  'sign_on_linked',
  'role_by_sign_on',
  'two_factor_enabled',
  'two_factor_disabled',
  'backup_codes_made',
  'two_factor_removed',
  'passkey_added',
  'passkey_removed',
  'passkeys_removed',
  'incident_limit_set',
  'provisioning_key_made',
] as const
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

/** Operations that the audit log records. */
export const AUDITED_OPERATIONS = [
  'accept_invitation',
  'change_role',
  'invite_member',
  'remove_member',
  'revoke_invitation',
  'create_key',
  'delete_key',
  'create_source',
  'create_connection',
  'update_source',
  'rotate_source_secret',
  'replace_ingestion_address',
  'delete_source',
  'create_workspace',
  'rename_workspace',
  'set_workspace_rules',
  'delete_workspace',
  'remove_sandbox',
  'reset_sandbox',
  'pause_step',
  'resume_step',
  'start_export',
  'start_import',
  'discard_transfer',
  'take_back_import',
  'erase_person',
  'erase_signal',
  'erase_source',
  'resume_erasure',
  'set_retention',
] as const

/** Downloads that the audit log records. */
export const TAKEN_FILES = ['export_taken', 'audit_log_taken'] as const

export const AUDIT_ACTIONS = [...ACCOUNT_EVENTS, ...AUDITED_OPERATIONS, ...TAKEN_FILES] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Kinds of mail that the installation sends. */
export const MAIL_KINDS = [
  'password_reset',
  'password_changed',
  'verification',
  'invitation',
  'address_changed',
  'sign_in_changed',
  'digest',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** How often a member gets a mail about changes. */
export const DIGESTS = ['never', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

/** The end of a mail: `refused` by the mail server for good, `expired` before a mail server took it. */
export const MAIL_ENDS = ['sent', 'refused', 'expired'] as const
export type MailEnd = (typeof MAIL_ENDS)[number]

/** How a person made a Decision: in the app, or by an agent's key. */
export const DECISION_WAYS = ['app', 'key'] as const

/** Kinds of objects that a Decision can be about. */
export const DECISION_OBJECTS = ['solution', 'claim', 'signal', 'group', 'strategy_element'] as const

/** Objects of Decisions whose changes of state are stored. */
export const OBJECTS_WITH_STATES = ['claim', 'solution'] as const

export const SOURCE_KINDS = ['signal', 'metric', 'code_host', 'email', 'connection'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export const CODE_HOSTS = ['github', 'gitea', 'forgejo'] as const
export type CodeHost = (typeof CODE_HOSTS)[number]

/** The way in of a signal: a receiver of the edge, or an agent's `service_capture`. */
export const CHANNELS = ['webhook', 'code_host', 'email', 'connection', 'capture'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * Parts of a mail that are not in its signal's text, in the order in which the app shows them: first the author's, then
 * others'.
 */
export const CUT_KINDS = ['signature', 'quoted', 'footer'] as const
export type CutKind = (typeof CUT_KINDS)[number]

/** The steps in order. */
export const STEPS = [
  'validate',
  'normalize',
  'scrub',
  'embed',
  'anchor',
  'dedup',
  'classify',
  'insert',
  'cluster',
] as const
export type StepName = (typeof STEPS)[number]

/**
 * The side that can end a dead letter's cause: its sender, or we. `too_costly`: exceeded the CPU budget of a record,
 * whoever wrote it. `transient`: might have succeeded later, but the attempts are used up. `automatic`: mail of a
 * program, without a failure, which waits for somebody who wants it as a signal.
 */
export const FAULTS = ['sender', 'ours', 'too_costly', 'transient', 'automatic'] as const
export type Fault = (typeof FAULTS)[number]
/** The class of a dead letter whose text a model refuses for good, while it answers others. */
export const REFUSED_BY_MODEL = 'refused_by_model'

export const DEAD_LETTER_STATES = ['waiting', 'replayed', 'discarded'] as const

/**
 * The object of an erasure. `age`: everything older than the workspace's retention. `import`: everything that an import
 * brought.
 */
export const ERASURE_KINDS = ['person', 'signal', 'source', 'age', 'import'] as const
export type ErasureKind = (typeof ERASURE_KINDS)[number]

/** Long work that processors do in slices and show with progress. */
export const JOB_KINDS = [
  'replay',
  're_embed',
  're_scrub',
  're_anchor',
  're_judge',
  'learn',
  'calibrate',
  'check_import',
  'import',
  'export',
  'review',
  'take_out',
  'erase',
  'find_themes',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** Jobs that are repeated when rules, a model, the map or the signals change. */
export const REPEATED_WORK = ['re_embed', 're_scrub', 're_anchor', 're_judge', 'learn', 'find_themes'] as const
export type RepeatedWork = (typeof REPEATED_WORK)[number]

/** File formats for import and export: signals, or everything of a workspace. */
export const TRANSFER_FORMATS = ['csv', 'json_lines', 'json', 'workspace'] as const
export type TransferFormat = (typeof TRANSFER_FORMATS)[number]

/** Encodings of uploaded files, by their names in the Encoding Standard. Files are stored as UTF-8. */
export const FILE_ENCODINGS = [
  ...['utf-8', 'utf-16', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'iso-8859-7'],
  ...['iso-8859-15', 'koi8-r', 'koi8-u', 'shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'],
] as const
export type FileEncoding = (typeof FILE_ENCODINGS)[number]

export const TRANSFER_DIRECTIONS = ['import', 'export'] as const

/** Only a running job is worked on; the other states are final. */
export const JOB_STATES = ['running', 'done', 'cancelled', 'failed'] as const

/** The effect of a write on a row. */
export const ROW_CHANGES = ['insert', 'update', 'delete'] as const
export type RowChange = (typeof ROW_CHANGES)[number]

/** First steps of a workspace, in this order, after its first signal. */
export const FIRST_STEPS = [
  'connect_source',
  'decide_signal',
  'make_solution',
  'connect_agent',
  'invite_member',
] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/**
 * What the app hears that something of it has changed. `changes` is what people and agents did, of any kind; `settings`
 * what was done to members, rules, keys and sources; `themes` that they were found anew, or signals placed in them.
 */
export const LIVE_TOPICS = [
  'signals',
  'claims',
  'proposals',
  'decisions',
  'map',
  'themes',
  'discussions',
  'changes',
  'settings',
  'dead_letters',
] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

/** The state of a move, in the database that it fills or leaves. */
export const MOVE_STATES = ['filling', 'arrived', 'leaving', 'left'] as const
export type MoveState = (typeof MOVE_STATES)[number]

/** Prefixes of references: `SIG-7`, `CLM-3`, `SOL-12`, `DEC-4`, `THM-2`. */
export const REFERENCE_PREFIXES = {
  signal: 'SIG',
  claim: 'CLM',
  solution: 'SOL',
  decision: 'DEC',
  theme: 'THM',
} as const
export type Referenced = keyof typeof REFERENCE_PREFIXES

export const reference = (what: Referenced, number: number): string => `${REFERENCE_PREFIXES[what]}-${number}`

export const EMBEDDING_DIMENSIONS = 1024
export const MAX_TEXT_CODE_POINTS = 50_000
