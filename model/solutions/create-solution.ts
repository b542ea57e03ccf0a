import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type SolutionId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { nextNumber } from '../references/next-numbers.ts'

const INSERT_SOLUTION = `
  insert into solutions (id, workspace_id, number, title, summary, priority_boost, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`

const LINK_CLAIMS = `
  insert into solution_claims (workspace_id, solution_id, claim_id)
  select $1, $2, claim_id from unnest($3::uuid[]) as claim_id
  on conflict do nothing`

const UNLINK_CLAIMS = `delete from solution_claims where solution_id = $1 and claim_id = any ($2::uuid[])`

/** Puts a new Solution on the Backlog, answering the claims of `claimIds`. The caller logs the Decision that it hangs on. */
export const insertSolution = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solution: {
    readonly title: string
    readonly summary: string
    readonly priorityBoost: number
    readonly claimIds: readonly string[]
    readonly at: Date
  },
): Promise<{ readonly id: SolutionId; readonly number: number }> => {
  const id = newId<SolutionId>()
  const number = await nextNumber(transaction, 'solution', workspaceId)
  const { title, summary, priorityBoost, at } = solution
  await transaction.query(INSERT_SOLUTION, [id, workspaceId, number, title, summary, priorityBoost, at])
  await linkClaims(transaction, workspaceId, id, solution.claimIds)
  return { id, number }
}

/** Adds claims to those that a Solution answers. */
export const linkClaims = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solutionId: string,
  claimIds: readonly string[],
): Promise<void> => {
  if (claimIds.length > 0) await transaction.query(LINK_CLAIMS, [workspaceId, solutionId, claimIds])
}

/** Takes claims away from those that a Solution answers. */
export const unlinkClaims = async (
  transaction: Transaction,
  solutionId: string,
  claimIds: readonly string[],
): Promise<void> => {
  if (claimIds.length > 0) await transaction.query(UNLINK_CLAIMS, [solutionId, claimIds])
}
