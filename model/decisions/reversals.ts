import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId, WorkspaceId } from '../../schemas/domain/ids.ts'

const CHANGES = `
  select object_id as solution_id, change from decision_objects
  where decision_id = $1 and object_kind = 'solution' and change <> '{}'
  order by id desc`

/** What a Decision changed of Solutions, the last change first. */
export const solutionChanges = (
  transaction: Transaction,
  decisionId: string,
): Promise<{ readonly solution_id: string; readonly change: Readonly<Record<string, unknown>> }[]> =>
  transaction.query<{ solution_id: string; change: Record<string, unknown> }>(CHANGES, [decisionId])

const WITHDRAW = `update handoffs set withdrawn_at = $2 where decision_id = $1 and withdrawn_at is null`
const HAND_OFF_AGAIN = `update handoffs set withdrawn_at = null where decision_id = $1`

const MARK = `
  insert into decision_reversals (workspace_id, decision_id, reversal_id, reversed_at) values ($1, $2, $3, $4)`

const UNMARK = `delete from decision_reversals where reversal_id = $1 returning decision_id`

/**
 * Marks a Decision as reversed by another one and withdraws its handoffs. Where it was a reversal itself, what that had reversed stands
 * again. Rejects with `conflict` when the same Decision was reversed at the same moment.
 */
export const markReversed = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { decisionId, reversalId, at }: { readonly decisionId: string; readonly reversalId: DecisionId; readonly at: Date },
): Promise<void> => {
  for (const restored of await transaction.query<{ decision_id: DecisionId }>(UNMARK, [decisionId])) {
    await transaction.query(HAND_OFF_AGAIN, [restored.decision_id])
  }
  await transaction.query(WITHDRAW, [decisionId, at])
  await transaction.query(MARK, [workspaceId, decisionId, reversalId, at])
}

const RANK_TAKEN = `
  select number, manual_rank from solutions
  where manual_rank = any ($1::integer[]) and id <> all ($2::uuid[]) order by manual_rank limit 1`

/** A Solution outside of `except` that has one of the ranks; undefined when they are free. */
export const rankTaken = async (
  transaction: Transaction,
  ranks: readonly number[],
  except: readonly string[],
): Promise<{ readonly number: number; readonly manual_rank: number } | undefined> =>
  (await transaction.query<{ number: number; manual_rank: number }>(RANK_TAKEN, [ranks, except]))[0]
