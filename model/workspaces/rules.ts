import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { WHO_MERGES } from '../../schemas/domain/vocabulary.ts'

/** What holds in a workspace for all who work in it. */
interface WorkspaceRules {
  readonly requires_app_decisions: boolean
  /** Who merges claims that a judge finds to be the same. */
  readonly who_merges: (typeof WHO_MERGES)[number]
  /** Whether what people say of its signals speaks when new ones are classified. */
  readonly learns: boolean
  /** Whether the app asks why where somebody drags a Solution. */
  readonly asks_reasons: boolean
}

const RULES = 'requires_app_decisions, who_merges, learns, asks_reasons'

const READ_RULES = `select ${RULES} from workspaces where id = $1`

export const readWorkspaceRules = async (
  transaction: Transaction,
  id: WorkspaceId,
): Promise<WorkspaceRules | undefined> => (await transaction.query<WorkspaceRules>(READ_RULES, [id]))[0]

/** Whether Done, Dropped and Outcomes need a Decision that a person made in the app. */
export const requiresAppDecisions = async (transaction: Transaction, id: WorkspaceId): Promise<boolean> =>
  (await readWorkspaceRules(transaction, id))?.requires_app_decisions ?? false

const PEOPLE_MERGE = `select id from workspaces where id = any ($1::uuid[]) and who_merges = 'people'`

/** Those of the workspaces where people merge: a judge’s yes waits there for one of them. */
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

/** Changes the rules that are given; answers all of them. */
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
