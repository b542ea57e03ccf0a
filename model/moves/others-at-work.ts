import type { OwnerQuery } from '../../infra/postgres/owner.ts'
import { APPLICATION_NAMES } from '../../infra/postgres/priorities.ts'

/** Whether another connection to the database is a program's: they all say so. */
export const othersAtWork = async (query: OwnerQuery): Promise<boolean> => {
  const [row] = await query<{ some: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as some`,
    [Object.values(APPLICATION_NAMES)],
  )
  return row?.some === true
}
