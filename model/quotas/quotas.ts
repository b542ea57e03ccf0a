import type { ConfigOf } from '../../infra/runtime/config.ts'
import { integer, type Setting } from '../../infra/runtime/settings.ts'

/** How many of a thing there may be. Who has them is an account, a workspace, or an operator's key. */
export interface Quota {
  readonly setting: Setting<number>
  /** What is counted, as in "This workspace has 200 sources". */
  readonly things: string
  readonly of: 'account' | 'workspace' | 'key'
  /** Answers `count`, of whoever $1 is. Runs in the write's own transaction, as the write's role. */
  readonly count: string
  /** How a place is freed, as the beginning of a sentence. */
  readonly free: string
  /** The table whose rows are counted, each of them: an export that brings some needs room for them. */
  readonly table?: string
}

const MOST = 1_000_000

/** The setting of a quota, with what is allowed unless it is set. */
const upTo = (byDefault: number, env: string, doc: string): Setting<number> =>
  integer({ env, doc, default: byDefault, min: 1, max: MOST })

/** A quota of a workspace that counts all of its rows in a table. */
const ofRows = <Rest extends Pick<Quota, 'setting' | 'things' | 'free'>>(table: string, rest: Rest) => ({
  ...rest,
  table,
  of: 'workspace' as const,
  count: `select count(*)::integer as count from ${table} where workspace_id = $1`,
})

/** Everything that somebody can make more and more of, and that the installation keeps. */
export const QUOTAS = {
  workspacesOfAccount: {
    setting: upTo(
      20,
      'QUOTA_WORKSPACES_PER_ACCOUNT',
      'How many workspaces an account may make. Those that others made and invited it to do not count.',
    ),
    things: 'workspaces',
    of: 'account',
    count: 'select count(*)::integer as count from workspaces where created_by = $1 and provisioned_by is null',
    free: 'Use one that you have',
  },
  workspacesOfKey: {
    setting: upTo(
      1000,
      'QUOTA_WORKSPACES_PER_PROVISIONING_KEY',
      'How many workspaces may be made with one provisioning key. They do not count for its account.',
    ),
    things: 'workspaces',
    of: 'key',
    count: 'select count(*)::integer as count from workspaces where provisioned_by = $1',
    free: 'Use one that is there',
  },
  members: {
    setting: upTo(
      200,
      'QUOTA_MEMBERS_PER_WORKSPACE',
      'How many members a workspace may have. An invitation that waits counts as a member.',
    ),
    things: 'members and waiting invitations',
    of: 'workspace',
    count: `
      select (
        (select count(*) from members where workspace_id = $1) +
        (select count(*) from invitations
          where workspace_id = $1 and accepted_at is null and revoked_at is null and expires_at > now())
      )::integer as count`,
    free: 'Remove a member or revoke an invitation',
  },
  sources: {
    setting: upTo(200, 'QUOTA_SOURCES_PER_WORKSPACE', 'How many sources a workspace may have, of all kinds together.'),
    things: 'sources',
    of: 'workspace',
    count: 'select count(*)::integer as count from sources where workspace_id = $1 and deleted_at is null',
    free: 'Delete a source',
    // Those that were deleted count as well when they are brought: an export names them, and the edge would load them.
    table: 'sources',
  },
  keys: {
    setting: upTo(
      200,
      'QUOTA_KEYS_PER_WORKSPACE',
      'How many MCP keys a workspace may have, of all its members together. Provisioning keys, which an operator makes, do not count.',
    ),
    things: 'keys',
    of: 'workspace',
    count: `select count(*)::integer as count from mcp_keys where workspace_id = $1 and scope = 'workspace'`,
    free: 'Delete a key',
  },
  jobs: {
    setting: upTo(
      10,
      'QUOTA_JOBS_AT_ONCE',
      'How many jobs may run in a workspace at once. Those that begin by themselves count, and are never refused.',
    ),
    things: 'running jobs',
    of: 'workspace',
    count: `select count(*)::integer as count from jobs where workspace_id = $1 and state = 'running'`,
    free: 'Wait for a job to end, or cancel one',
  },
  uploads: {
    setting: upTo(
      5,
      'QUOTA_UPLOADS_PER_WORKSPACE',
      'How many uploaded files may wait in a workspace to be imported. A file that nobody imports is deleted after a day.',
    ),
    things: 'uploaded files that wait',
    of: 'workspace',
    count: `
      select count(*)::integer as count from transfers
      where workspace_id = $1 and direction = 'import' and job_id is null and created_at > now() - interval '1 day'`,
    free: 'Import or discard one of them',
  },
  uploadedMegabytes: {
    setting: upTo(
      8192,
      'QUOTA_UPLOADED_MB_PER_ACCOUNT',
      'How many MB an account may have in uploaded files, over all workspaces, until they are imported or deleted. Each file counts in whole MB.',
    ),
    things: 'MB of uploaded files',
    of: 'account',
    count: `
      select coalesce(sum(megabytes), 0)::integer as count from transfers
      where account_id = $1 and direction = 'import' and (
        not complete and created_at > now() - interval '1 day'
        or exists (select from transfer_pieces where transfer_id = transfers.id))`,
    free: 'Import or discard one of the files',
  },
  mapNodes: ofRows('map_nodes', {
    setting: upTo(10_000, 'QUOTA_MAP_NODES_PER_WORKSPACE', 'How many nodes the product map of a workspace may have.'),
    things: 'nodes of the map',
    free: 'Remove a node',
  }),
  groups: ofRows('groups', {
    setting: upTo(1000, 'QUOTA_GROUPS_PER_WORKSPACE', 'How many groups of Solutions a workspace may have.'),
    things: 'groups',
    free: 'Delete a group',
  }),
  strategyElements: ofRows('strategy_elements', {
    setting: upTo(
      1000,
      'QUOTA_STRATEGY_ELEMENTS_PER_WORKSPACE',
      'How many visions, objectives and bets the Strategy Stack of a workspace may have, together.',
    ),
    things: 'elements of the strategy',
    free: 'Remove an element',
  }),
  solutions: ofRows('solutions', {
    setting: upTo(
      20_000,
      'QUOTA_SOLUTIONS_PER_WORKSPACE',
      'How many Solutions a workspace may have, in any state. None is ever deleted.',
    ),
    things: 'Solutions',
    free: 'Change one that is there',
  }),
  notes: ofRows('knowledge_notes', {
    setting: upTo(
      50_000,
      'QUOTA_NOTES_PER_WORKSPACE',
      'How many notes may be saved about the claims, Solutions and map nodes of a workspace, together. None is ever deleted.',
    ),
    things: 'saved notes',
    free: 'Write what was learned into a Living Document',
  }),
  comments: ofRows('comments', {
    setting: upTo(
      200_000,
      'QUOTA_COMMENTS_PER_WORKSPACE',
      'How many comments there may be on the Signals, claims and Solutions of a workspace, together.',
    ),
    things: 'comments',
    free: 'Delete one that is no longer needed',
  }),
  documentVersions: ofRows('living_documents', {
    setting: upTo(
      50_000,
      'QUOTA_DOCUMENT_VERSIONS_PER_WORKSPACE',
      'How many versions the Living Documents of a workspace may have, together. Every one is kept.',
    ),
    things: 'versions of Living Documents',
    free: 'Save a note instead',
  }),
} as const satisfies Readonly<Record<string, Quota>>

export type QuotaName = keyof typeof QUOTAS

/** How long a file may be that is imported. */
export const FILE_SIZES = {
  importMegabytes: integer({
    env: 'QUOTA_IMPORT_MB',
    doc: 'How long a file of Signals may be that is imported, in MB (1,048,576 bytes). Its longest texts and most lines follow from that.',
    default: 100,
    min: 1,
    max: 65_536,
  }),
  workspaceImportMegabytes: integer({
    env: 'QUOTA_WORKSPACE_IMPORT_MB',
    doc: 'How long the export of a workspace may be that is imported, in MB.',
    default: 4096,
    min: 1,
    max: 65_536,
  }),
} as const

type SettingsOf<Defined extends Readonly<Record<string, Pick<Quota, 'setting'>>>> = {
  readonly [Name in keyof Defined]: Defined[Name]['setting']
}

// The names are those of the quotas, each with the setting of its own.
const counted = Object.fromEntries(Object.entries(QUOTAS).map(([name, { setting }]) => [name, setting])) as SettingsOf<
  typeof QUOTAS
>

/** The settings of all quotas. */
export const QUOTA_CONFIG = { ...counted, ...FILE_SIZES }

/** What is allowed in this installation. */
export type Quotas = ConfigOf<typeof QUOTA_CONFIG>
