import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type GroupId, newId, type SolutionId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { SolutionState } from '../../schemas/domain/vocabulary.ts'

/** A named group of Solutions. */
export interface GroupRow {
  readonly id: GroupId
  readonly name: string
  readonly solutions: number
  /** States of its Solutions, by name. */
  readonly by_state: readonly { readonly state: SolutionState; readonly solutions: number }[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const SELECT_GROUPS = `
  select id, name, version, created_at, updated_at,
    (select count(*)::integer from group_solutions where group_id = groups.id) as solutions,
    (
      select coalesce(jsonb_agg(jsonb_build_object('state', state, 'solutions', counted) order by state), '[]')
      from (
        select state, count(*)::integer as counted from group_solutions join solutions on solutions.id = solution_id
        where group_id = groups.id group by state
      ) totals
    ) as by_state
  from groups`

const LIST = `${SELECT_GROUPS} order by lower(name), id limit $1 offset $2`
const COUNT = `select count(*)::integer as count from groups`
const ONE = `${SELECT_GROUPS} where id = $1`
const LOCK = `select version from groups where id = $1 for update`
const INSERT = `
  insert into groups (id, workspace_id, name, created_at, updated_at) values ($1, $2, $3, $4, $4)
  on conflict (workspace_id, lower(name)) do nothing
  returning id`
const TAKEN = `select id from groups where lower(name) = lower($1) and id <> $2`
const RENAME = `update groups set name = $2 where id = $1`
const TOUCH = `update groups set version = version + 1, updated_at = $2 where id = $1`
const DELETE = `delete from groups where id = $1`

const nameTaken = (name: string): AssayError =>
  new AssayError(
    'conflict',
    `A group is named "${name}" already; names are unique, letter case aside. Nothing was written. Add Solutions to it with service_decide mode group, action add, or choose another name.`,
  )

/** A page of the workspace's groups, by name. */
export const listGroups = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly groups: readonly GroupRow[] }> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT)
  const groups = await transaction.query<GroupRow>(LIST, [page.limit, page.offset])
  return { count: counted?.count ?? 0, groups }
}

/** Throws `not_found` when it was deleted meanwhile. */
export const readGroup = async (transaction: Transaction, id: string): Promise<GroupRow> => {
  const [group] = await transaction.query<GroupRow>(ONE, [id])
  if (group === undefined) throw new AssayError('not_found', 'The group is not there any more.')
  return group
}

/**
 * Reads a group and locks it until the transaction ends. Throws `conflict` with the current group when the caller read
 * another version.
 */
export const lockGroup = async (
  transaction: Transaction,
  id: string,
  readVersion: number | undefined,
): Promise<GroupRow> => {
  await transaction.query(LOCK, [id])
  const group = await readGroup(transaction, id)
  if (readVersion === undefined || readVersion === group.version) return group
  throw new AssayError(
    'conflict',
    `The group "${group.name}" has changed: you read version ${readVersion}, it is at ${group.version}. Nothing was written. Decide again on what it is now.`,
    { context: { current: { ...group } } },
  )
}

/** Throws `conflict` when the name is taken. */
export const createGroup = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  name: string,
  at: Date,
): Promise<GroupId> => {
  const id = newId<GroupId>()
  const inserted = await transaction.query(INSERT, [id, workspaceId, name, at])
  if (inserted.length === 0) throw nameTaken(name)
  return id
}

/** Renames a locked group. Throws `conflict` when the name is taken. */
export const renameGroup = async (transaction: Transaction, id: GroupId, name: string): Promise<void> => {
  if ((await transaction.query(TAKEN, [name, id])).length > 0) throw nameTaken(name)
  await transaction.query(RENAME, [id, name])
}

/** Raises the version of a changed, locked group. */
export const touchGroup = async (transaction: Transaction, id: GroupId, at: Date): Promise<void> => {
  await transaction.query(TOUCH, [id, at])
}

/** Deletes a locked group; its Solutions stay. */
export const deleteGroup = async (transaction: Transaction, id: GroupId): Promise<void> => {
  await transaction.query(DELETE, [id])
}

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

/** Unordered. */
export const membersOf = async (transaction: Transaction, id: string): Promise<readonly SolutionId[]> =>
  idsOf(await transaction.query<Member>(MEMBERS, [id]))

/** Adds Solutions to a locked group. Answers those that were not in it. */
export const addMembers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: GroupId,
  solutionIds: readonly SolutionId[],
): Promise<readonly SolutionId[]> => idsOf(await transaction.query<Member>(ADD, [workspaceId, id, solutionIds]))

/** Removes Solutions from a locked group. Answers those that were in it. */
export const removeMembers = async (
  transaction: Transaction,
  id: GroupId,
  solutionIds: readonly SolutionId[],
): Promise<readonly SolutionId[]> => idsOf(await transaction.query<Member>(REMOVE, [id, solutionIds]))
