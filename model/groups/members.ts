import type { Transaction } from '../../infra/postgres/port.ts'
import type { GroupId, SolutionId, WorkspaceId } from '../../schemas/domain/ids.ts'

const MEMBERS = `select solution_id from group_solutions where group_id = $1`

const ADD = `
  insert into group_solutions (workspace_id, group_id, solution_id)
  select $1, $2, solution_id from unnest($3::uuid[]) as solution_id
  on conflict do nothing
  returning solution_id`

const REMOVE = `
  delete from group_solutions where group_id = $1 and solution_id = any ($2::uuid[])
  returning solution_id`

interface Member {
  readonly solution_id: SolutionId
}

const idsOf = (rows: readonly Member[]): SolutionId[] => rows.map(row => row.solution_id)

/** The Solutions of a group, in no order. */
export const membersOf = async (transaction: Transaction, id: string): Promise<readonly SolutionId[]> =>
  idsOf(await transaction.query<Member>(MEMBERS, [id]))

/** Adds Solutions to a locked group; answers those that were not in it. */
export const addMembers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: GroupId,
  solutionIds: readonly SolutionId[],
): Promise<readonly SolutionId[]> => idsOf(await transaction.query<Member>(ADD, [workspaceId, id, solutionIds]))

/** Takes Solutions out of a locked group; answers those that were in it. */
export const removeMembers = async (
  transaction: Transaction,
  id: GroupId,
  solutionIds: readonly SolutionId[],
): Promise<readonly SolutionId[]> => idsOf(await transaction.query<Member>(REMOVE, [id, solutionIds]))
