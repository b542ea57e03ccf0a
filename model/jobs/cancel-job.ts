import type { Transaction } from '../../infra/postgres/port.ts'

const CANCEL = `
  update jobs set state = 'cancelled', cancelled_by = $3, finished_at = $2, updated_at = $2, leased_until = null
  where id = $1 and state = 'running' and not exists (select from workspaces where import_job_id = $1)
    and (kind <> 'import' or coalesce(cursor ->> 'phase', '') <> 'record')
  returning id`
/** The import of an export ends itself, when nothing of it is there any more. */
const ASK_TO_END = `
  update jobs set cancelled_by = $3, updated_at = $2, not_before = least(not_before, $2)
  where id = $1 and state = 'running' and exists (select from workspaces where import_job_id = $1) returning id`

/** Ends a running job, or asks the import of an export to end itself. False for one that cannot be ended any more. */
export const cancelJob = async (transaction: Transaction, id: string, by: string, at: Date): Promise<boolean> => {
  const cancelled = await transaction.query(CANCEL, [id, at, by])
  const asked = await transaction.query(ASK_TO_END, [id, at, by])
  return cancelled.length + asked.length > 0
}
