import type { Setting } from '../../infra/runtime/settings.ts'

/** A limit on the number of things of an account, a workspace, or an operator's key. */
export interface Quota {
  readonly byDefault: number
  /** Name of the things, as in "This workspace has 200 sources". */
  readonly things: string
  readonly of: 'account' | 'workspace' | 'key'
  /** Statement that answers `count` for the owner `$1`. Runs in the write's transaction with the write's role. */
  readonly count: string
  /** The way to free a place, as the beginning of a sentence. */
  readonly free: string
  /** Table whose rows are all counted, so that an imported export needs room for its rows. */
  readonly table?: string
}

/** A quota of a workspace over all of its rows in a table. */
const ofRows = <Rest extends Pick<Quota, 'byDefault' | 'things' | 'free'>>(table: string, rest: Rest) => ({
  ...rest,
  table,
  of: 'workspace' as const,
  count: `select count(*)::integer as count from ${table} where workspace_id = $1`,
})

/** Everything that can be created without end and that the installation keeps. */
export const QUOTAS = {
  workspacesOfAccount: {
    byDefault: 20,
    things: 'workspaces',
    of: 'account',
    count: 'select count(*)::integer as count from workspaces where created_by = $1 and provisioned_by is null',
    free: 'Use one that you have',
  },
  workspacesOfKey: {
    byDefault: 1000,
    things: 'workspaces',
    of: 'key',
    count: 'select count(*)::integer as count from workspaces where provisioned_by = $1',
    free: 'Use one that is there',
  },
  members: {
    byDefault: 200,
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
    byDefault: 200,
    things: 'sources',
    of: 'workspace',
    count: 'select count(*)::integer as count from sources where workspace_id = $1 and deleted_at is null',
    free: 'Delete a source',
    // Deleted sources of an import count, too: an export names them, and the edge would load them.
    table: 'sources',
  },
  keys: {
    byDefault: 200,
    things: 'keys',
    of: 'workspace',
    count: `select count(*)::integer as count from mcp_keys where workspace_id = $1 and scope = 'workspace'`,
    free: 'Delete a key',
  },
  jobs: {
    byDefault: 10,
    things: 'running jobs',
    of: 'workspace',
    count: `select count(*)::integer as count from jobs where workspace_id = $1 and state = 'running'`,
    free: 'Wait for a job to end, or cancel one',
  },
  uploads: {
    byDefault: 5,
    things: 'uploaded files that wait',
    of: 'workspace',
    count: `
      select count(*)::integer as count from transfers
      where workspace_id = $1 and direction = 'import' and job_id is null and created_at > now() - interval '1 day'`,
    free: 'Import or discard one of them',
  },
  uploadedMegabytes: {
    byDefault: 8192,
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
    byDefault: 10_000,
    things: 'nodes of the map',
    free: 'Remove a node',
  }),
  groups: ofRows('groups', {
    byDefault: 1000,
    things: 'groups',
    free: 'Delete a group',
  }),
  strategyElements: ofRows('strategy_elements', {
    byDefault: 1000,
    things: 'elements of the strategy',
    free: 'Remove an element',
  }),
  solutions: ofRows('solutions', {
    byDefault: 20_000,
    things: 'Solutions',
    free: 'Change one that is there',
  }),
  notes: ofRows('knowledge_notes', {
    byDefault: 50_000,
    things: 'saved notes',
    free: 'Write what was learned into a Living Document',
  }),
  comments: ofRows('comments', {
    byDefault: 200_000,
    things: 'comments',
    free: 'Delete one that is no longer needed',
  }),
  documentVersions: ofRows('living_documents', {
    byDefault: 50_000,
    things: 'versions of Living Documents',
    free: 'Save a note instead',
  }),
} as const satisfies Readonly<Record<string, Quota>>

export type QuotaName = keyof typeof QUOTAS

/**
 * Megabytes (1,048,576 bytes) of an imported file of Signals, whose longest text and most lines follow from that, and
 * of an imported export of a workspace.
 */
export const FILE_SIZES = { importMegabytes: 100, workspaceImportMegabytes: 4096 }

type LimitName = QuotaName | keyof typeof FILE_SIZES

/** The installation's limits. */
export type Quotas = Readonly<Record<LimitName, number>>

// The keys are those of both objects.
const DEFAULTS = {
  ...Object.fromEntries(Object.entries(QUOTAS).map(([name, { byDefault }]) => [name, byDefault])),
  ...FILE_SIZES,
} as Quotas

/** What an operator writes for a limit, such as `map_nodes`. */
const writtenName = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const NAMES = new Map(Object.keys(DEFAULTS).map(name => [writtenName(name), name]))

const MAX_LIMIT = 1_000_000
const MAX_MEGABYTES = 65_536

/** Limits by their written names; undefined where a name or a number is not allowed. */
const parseLimits = (text: string): Quotas | undefined => {
  const limits: Record<string, number> = { ...DEFAULTS }
  for (const entry of text.split(',')) {
    const [, written = '', digits = ''] = /^\s*(\w+)\s*=\s*(\d{1,7})\s*$/.exec(entry) ?? []
    const name = NAMES.get(written)
    const limit = Number(digits)
    if (name === undefined || limit < 1 || limit > (name in FILE_SIZES ? MAX_MEGABYTES : MAX_LIMIT)) return undefined
    limits[name] = limit
  }
  return limits as Quotas
}

const writeLimit = (name: string, limit: number): string => `${writtenName(name)}=${limit}`

const writeLimits = (limits: Quotas): string =>
  Object.entries(DEFAULTS)
    .map(([name, byDefault]) => [name, limits[name as LimitName], byDefault] as const)
    .filter(([, limit, byDefault]) => limit !== byDefault)
    .map(([name, limit]) => writeLimit(name, limit))
    .join(',')

/** All limits as one setting, which names those that differ from the defaults. */
export const QUOTA_CONFIG = {
  quotas: {
    env: 'QUOTAS',
    formerly: /^QUOTA_/,
    doc: `Limits other than ${Object.entries(DEFAULTS)
      .map(([name, limit]) => writeLimit(name, limit))
      .join(
        ', ',
      )}. The first two are of an account and of a provisioning key, uploaded_megabytes is of an account, the others are of a workspace.`,
    allowed: 'limits separated by commas, each a name and a number from 1 on, such as members=500,jobs=20',
    default: DEFAULTS,
    secret: false,
    parse: parseLimits,
    write: writeLimits,
  } satisfies Setting<Quotas>,
}

/** How an operator raises a limit, in a message. */
export const settingOf = (name: LimitName): string => `${writtenName(name)} in ${QUOTA_CONFIG.quotas.env}`
