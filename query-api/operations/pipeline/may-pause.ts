import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Caller } from '../define.ts'

/** A pause concerns every tenant, so it is for those who run the installation: the tenant that signed up first. */
const RUNS_IT = `
  select tenant_id = (select id from tenants order by created_at, id limit 1) as runs_it from workspaces where id = $1`

/** Whether the caller’s workspace is of the tenant that runs the installation. */
export const runsInstallation = async (transaction: Transaction, { workspaceId }: Caller): Promise<boolean> => {
  const [workspace] = await transaction.query<{ runs_it: boolean }>(RUNS_IT, [workspaceId])
  return workspace?.runs_it ?? false
}

export const ONLY_THOSE_WHO_RUN_IT =
  'A pause holds the whole installation still, everybody’s signals included. Only an owner of a workspace of those who signed up first, and so run it, pauses and resumes steps.'

/** Throws `forbidden` for everybody else. */
export const assertRunsInstallation = async (transaction: Transaction, caller: Caller): Promise<void> => {
  if (await runsInstallation(transaction, caller)) return
  throw new AssayError('forbidden', ONLY_THOSE_WHO_RUN_IT)
}
