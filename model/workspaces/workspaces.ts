import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MemberRole, WHO_MERGES } from '../../schemas/domain/vocabulary.ts'

interface OwnWorkspace {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly role: MemberRole
  readonly sandbox: boolean
  readonly created_at: Date
}

const OF_PERSON = `
  select workspaces.id, workspaces.slug, workspaces.name, workspaces.sandbox, workspaces.created_at, members.role
  from members join workspaces on workspaces.id = members.workspace_id
  where members.user_id = $1
  order by members.created_at, workspaces.id`

/** Workspaces of a person, in the order of joining. */
export const workspacesOf = (transaction: Transaction, user: UserId): Promise<OwnWorkspace[]> =>
  transaction.query<OwnWorkspace>(OF_PERSON, [user])

/** Every workspace of the installation, deleted ones included. */
export const everyWorkspaceId = (database: Database): Promise<readonly WorkspaceId[]> =>
  database.transaction({ role: 'assay_accounts' }, async transaction =>
    (await transaction.query<{ id: WorkspaceId }>('select id from workspaces order by id')).map(({ id }) => id),
  )

interface InstallationWorkspace {
  readonly id: string
  readonly name: string
  readonly sandbox: boolean
  /** Names and addresses, at most 20. */
  readonly owners: string[]
  readonly members: number
  readonly created_at: Date
  /** Number of all workspaces. */
  readonly count: number
}

// New workspaces come at the end.
const ALL = `
  with page as (
    select id, name, sandbox, created_at, (count(*) over ())::integer as count
    from workspaces
    where deleted_at is null
    order by created_at, id
    limit $1 offset $2)
  select page.*,
    (select count(*)::integer from members where workspace_id = page.id) as members,
    array(
      select people.name || ' <' || people.email || '>'
      from members join account_users as people on people.id = user_id
      where workspace_id = page.id and role = 'owner' order by lower(people.name), people.id limit 20) as owners
  from page order by created_at, id`

/** A page of every workspace of the installation, oldest first. */
export const allWorkspaces = (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<InstallationWorkspace[]> => transaction.query<InstallationWorkspace>(ALL, [page.limit, page.offset])

const SANDBOX = `select from workspaces where sandbox and id = $1`

export const isSandbox = async (transaction: Transaction, id: WorkspaceId): Promise<boolean> =>
  (await transaction.query(SANDBOX, [id])).length > 0

const SLUG = `select slug from workspaces where id = $1`

export const slugOfWorkspace = async (transaction: Transaction, id: WorkspaceId): Promise<string | undefined> =>
  (await transaction.query<{ slug: string }>(SLUG, [id]))[0]?.slug

const LOCKED_NAME = `select name from workspaces where id = $1 for update`

/** What it is called, held until the transaction ends; undefined when it is not there. */
export const lockName = async (transaction: Transaction, id: WorkspaceId): Promise<string | undefined> =>
  (await transaction.query<{ name: string }>(LOCKED_NAME, [id]))[0]?.name

const RENAME = `update workspaces set name = $2 where id = $1 returning id, name`

/** Undefined when the workspace is missing. */
export const renameWorkspace = async (
  transaction: Transaction,
  id: WorkspaceId,
  name: string,
): Promise<{ id: string; name: string } | undefined> =>
  (await transaction.query<{ id: string; name: string }>(RENAME, [id, name]))[0]

const NAME = 'select name from workspaces where id = $1'

/** Name of a workspace; null without one. */
export const nameOfWorkspace = async (transaction: Transaction, id: WorkspaceId): Promise<string | null> =>
  (await transaction.query<{ name: string }>(NAME, [id]))[0]?.name ?? null

interface WorkspaceRules {
  readonly requires_app_decisions: boolean
  /** People or the judge merge claims that a judge found to be the same. */
  readonly who_merges: (typeof WHO_MERGES)[number]
  /** True when people's labels influence the classification of new signals. */
  readonly learns: boolean
  /** True when the app asks for a reason when somebody drags a Solution. */
  readonly asks_reasons: boolean
}

const RULES = 'requires_app_decisions, who_merges, learns, asks_reasons'

const READ_RULES = `select ${RULES} from workspaces where id = $1`

export const readWorkspaceRules = async (
  transaction: Transaction,
  id: WorkspaceId,
): Promise<WorkspaceRules | undefined> => (await transaction.query<WorkspaceRules>(READ_RULES, [id]))[0]

/** True when Done, Dropped and Outcomes need a Decision that a person made in the app. */
export const requiresAppDecisions = async (transaction: Transaction, id: WorkspaceId): Promise<boolean> =>
  (await readWorkspaceRules(transaction, id))?.requires_app_decisions ?? false

const PEOPLE_MERGE = `select id from workspaces where id = any ($1::uuid[]) and who_merges = 'people'`

/** Workspaces among these where people merge: a judge's yes waits there for a person. */
export const peopleMerge = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlySet<WorkspaceId>> => {
  const rows = await transaction.query<{ id: WorkspaceId }>(PEOPLE_MERGE, [workspaceIds])
  return new Set(rows.map(({ id }) => id))
}

const SET_RULES = `
  update workspaces
  set requires_app_decisions = coalesce($2, requires_app_decisions), who_merges = coalesce($3, who_merges),
    learns = coalesce($4, learns), asks_reasons = coalesce($5, asks_reasons)
  where id = $1
  returning ${RULES}`

/** Changes the given rules. Answers all rules. */
export const setWorkspaceRules = async (
  transaction: Transaction,
  id: WorkspaceId,
  {
    requires_app_decisions,
    who_merges,
    learns,
    asks_reasons,
  }: { readonly [Rule in keyof WorkspaceRules]?: WorkspaceRules[Rule] | undefined },
): Promise<WorkspaceRules | undefined> =>
  (
    await transaction.query<WorkspaceRules>(SET_RULES, [
      id,
      requires_app_decisions ?? null,
      who_merges ?? null,
      learns ?? null,
      asks_reasons ?? null,
    ])
  )[0]
