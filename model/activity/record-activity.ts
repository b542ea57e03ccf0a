import type { Transaction } from '../../infra/postgres/port.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'

const INSERT = `
  insert into outbox (workspace_id, activity)
  select (record ->> 'workspace_id')::uuid, record from jsonb_array_elements($1::jsonb) as record`

/** Puts activity into the outbox, from where it is relayed to the log after the transaction commits. */
export const recordActivity = async (transaction: Transaction, records: readonly ActivityRecord[]): Promise<void> => {
  await transaction.query(INSERT, [JSON.stringify(records)])
}
