import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const RULE = `select requires_app_decisions as required from workspaces where id = $1`

/** Whether Done, Dropped and Outcomes need a Decision that a person made in the app. */
export const requiresAppDecisions = async (transaction: Transaction, id: WorkspaceId): Promise<boolean> =>
  (await transaction.query<{ required: boolean }>(RULE, [id]))[0]?.required ?? false
