/**
 * The closed vocabularies of the product. Code, SQL checks, JSON schemas and the app all use these words. Where one
 * changes, a migration changes the check of each column that is limited to it: `infra/postgres/vocabulary.test.ts` says
 * of which.
 */

export const SIGNAL_ORIGINS = ['customer', 'internal', 'operational'] as const
export type SignalOrigin = (typeof SIGNAL_ORIGINS)[number]

export const ACTOR_ROLES = ['user', 'pm', 'designer', 'engineer', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]

export const CLASSIFICATIONS = ['problem', 'idea', 'question', 'unclassified'] as const
export type Classification = (typeof CLASSIFICATIONS)[number]

/** Why a signal is an occurrence of another; `member`: a person said so. */
export const OCCURRENCE_REASONS = ['same_text', 'near_duplicate', 'member'] as const
export type OccurrenceReason = (typeof OCCURRENCE_REASONS)[number]

export const SIGNAL_STATES = ['triage', 'accepted', 'dismissed'] as const
export type SignalState = (typeof SIGNAL_STATES)[number]

/** What a person made of a theme: all but `hidden` and `not_one_thing` are listed, the pinned first. */
export const THEME_STANDINGS = ['listed', 'pinned', 'hidden', 'not_one_thing'] as const
export type ThemeStanding = (typeof THEME_STANDINGS)[number]

export const CLAIM_KINDS = ['problem', 'opportunity'] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]

export const CLAIM_STATES = ['emerging', 'established', 'addressed', 'dismissed'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

/** Who attached a signal to a claim; `cluster`: the step, when the signal starts the claim. */
export const EVIDENCE_ATTACHERS = ['cluster', 'judge', 'member'] as const

export const MERGE_PROPOSAL_STATES = ['waiting', 'set_aside', 'confirmed', 'refused'] as const

/** Who merged two claims. */
export const MERGERS = ['member', 'judge'] as const

/** Who merges claims that a judge finds to be the same. People confirm whatever no judge was asked about. */
export const WHO_MERGES = ['people', 'judge'] as const

export const SOLUTION_STATES = ['Backlog', 'Planned', 'In Progress', 'In Review', 'Done', 'Dropped'] as const
export type SolutionState = (typeof SOLUTION_STATES)[number]

/** The layers of the Strategy Stack, from what lasts to what is tried. */
export const STRATEGY_LAYERS = ['vision', 'objective', 'bet'] as const
export type StrategyLayer = (typeof STRATEGY_LAYERS)[number]

export const ROADMAP_HORIZONS = ['now', 'next', 'later'] as const
export type RoadmapHorizon = (typeof ROADMAP_HORIZONS)[number]

export const HANDOFF_KINDS = ['design', 'pull_request'] as const
export type HandoffKind = (typeof HANDOFF_KINDS)[number]

/** What was last heard of a pull request that names a Solution. */
export const PULL_REQUEST_STATES = ['opened', 'reopened', 'merged'] as const

/** How a Living Document is edited, as a whole or in one section. */
export const DOCUMENT_EDITS = ['replace', 'append', 'insert', 'delete'] as const
export type DocumentEdit = (typeof DOCUMENT_EDITS)[number]

/** Whether what was expected of a Done Solution came about. */
export const OUTCOME_VERDICTS = ['met', 'partly', 'missed', 'unclear'] as const
export type OutcomeVerdict = (typeof OUTCOME_VERDICTS)[number]

/** What a change of a metric means at a node of the map. */
export const METRIC_DIRECTIONS = ['up_is_good', 'down_is_good'] as const
export type MetricDirection = (typeof METRIC_DIRECTIONS)[number]

export const MEMBER_ROLES = ['owner', 'member', 'viewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** What an agent's key opens: one workspace, or the making of workspaces. */
export const KEY_SCOPES = ['workspace', 'provisioning'] as const

/** How an account came in. */
export const ADMISSIONS = ['first', 'invitation', 'open', 'sign_on'] as const

/** What administrators and the operator do to accounts. */
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
 * Who did what the audit log tells: a person, a key of theirs, the operator's command line, the installation itself, or
 * nobody who is known.
 */
export const AUDIT_ACTORS = ['person', 'key', 'operator', 'installation', 'nobody'] as const

/** What happened to an account, in the words of the audit log; all else there is the name of an operation. */
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

/** The operations of which the audit log tells. */
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

/** Of which files that were taken it tells beside them. */
export const TAKEN_FILES = ['export_taken', 'audit_log_taken'] as const

export const AUDIT_ACTIONS = [...ACCOUNT_EVENTS, ...AUDITED_OPERATIONS, ...TAKEN_FILES] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What the installation sends by mail. */
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

/** How often a member is told by mail what changed. */
export const DIGESTS = ['never', 'daily', 'weekly'] as const
export type Digest = (typeof DIGESTS)[number]

/** What became of a mail: `refused` by the mail server for good, `expired` before a mail server took it. */
export const MAIL_ENDS = ['sent', 'refused', 'expired'] as const
export type MailEnd = (typeof MAIL_ENDS)[number]

/** How a person made a Decision: in the app, or by the key of an agent. */
export const DECISION_WAYS = ['app', 'key'] as const

/** What a Decision is about. */
export const DECISION_OBJECTS = ['solution', 'claim', 'signal', 'group', 'strategy_element'] as const

/** Of these, the ones whose changes of state are kept. */
export const OBJECTS_WITH_STATES = ['claim', 'solution'] as const

export const SOURCE_KINDS = ['signal', 'metric', 'code_host', 'email', 'connection'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export const CODE_HOSTS = ['github', 'gitea', 'forgejo'] as const
export type CodeHost = (typeof CODE_HOSTS)[number]

/** Who or what a signal came in through: a receiver of the edge, or an agent's `service_capture`. */
export const CHANNELS = ['webhook', 'code_host', 'email', 'connection', 'capture'] as const
export type Channel = (typeof CHANNELS)[number]

/**
 * What a part of a mail is taken for that is not in its signal's text, in the order in which they are shown: first what
 * its author wrote, then what others did.
 */
export const CUT_KINDS = ['signature', 'quoted', 'footer'] as const
export type CutKind = (typeof CUT_KINDS)[number]

/** The steps, in their order. */
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
 * Who can end what made a signal a dead letter. `too_costly`: it used up the CPU that one record may cost, whoever
 * wrote it; `transient`: it may well have succeeded later, but its attempts are used up; `automatic`: nothing failed,
 * it is mail that a program wrote, and waits for somebody who wants it as a signal.
 */
export const FAULTS = ['sender', 'ours', 'too_costly', 'transient', 'automatic'] as const
export type Fault = (typeof FAULTS)[number]
/** The class of a dead letter whose text a model refuses for good, while it answers others. */
export const REFUSED_BY_MODEL = 'refused_by_model'

export const DEAD_LETTER_STATES = ['waiting', 'replayed', 'discarded'] as const

/** What an erasure is of; `age`: of all that is older than the workspace keeps it; `import`: of what one brought. */
export const ERASURE_KINDS = ['person', 'signal', 'source', 'age', 'import'] as const
export type ErasureKind = (typeof ERASURE_KINDS)[number]

/** Long work that the processors do in slices, shown with its progress. */
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

/** Of them, what is done again when rules, a model, the map or the signals have changed. */
export const REPEATED_WORK = ['re_embed', 're_scrub', 're_anchor', 're_judge', 'learn', 'find_themes'] as const
export type RepeatedWork = (typeof REPEATED_WORK)[number]

/** Files that people bring and take: signals, or everything that a workspace owns. */
export const TRANSFER_FORMATS = ['csv', 'json_lines', 'json', 'workspace'] as const
export type TransferFormat = (typeof TRANSFER_FORMATS)[number]

/** What an uploaded file may be written in, by the names of the Encoding Standard. It is kept as UTF-8. */
export const FILE_ENCODINGS = [
  ...['utf-8', 'utf-16', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'iso-8859-7'],
  ...['iso-8859-15', 'koi8-r', 'koi8-u', 'shift_jis', 'euc-jp', 'gbk', 'gb18030', 'big5', 'euc-kr'],
] as const
export type FileEncoding = (typeof FILE_ENCODINGS)[number]

export const TRANSFER_DIRECTIONS = ['import', 'export'] as const

/** Only a running job is worked on; the others are over. */
export const JOB_STATES = ['running', 'done', 'cancelled', 'failed'] as const

/** What a write did to a row. */
export const ROW_CHANGES = ['insert', 'update', 'delete'] as const
export type RowChange = (typeof ROW_CHANGES)[number]

/** What a workspace begins with, in this order, once its first signal is there. */
export const FIRST_STEPS = [
  'connect_source',
  'decide_signal',
  'make_solution',
  'connect_agent',
  'invite_member',
] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/** What the app hears that something of it has changed. */
export const LIVE_TOPICS = ['signals', 'claims', 'proposals', 'decisions', 'map', 'discussions'] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

/** How far a move is, in the database that it comes to or goes from. */
export const MOVE_STATES = ['filling', 'arrived', 'leaving', 'left'] as const
export type MoveState = (typeof MOVE_STATES)[number]

/** Prefixes of the references that people use: `SIG-7`, `CLM-3`, `SOL-12`, `DEC-4`, `THM-2`. */
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
