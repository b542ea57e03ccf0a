import type { Query } from '../../infra/backup/copy-postgres.ts'
import type { BackupFacts } from '../../infra/backup/manifest.ts'

const COUNTS = `
  select (select count(*) from signals) as signals, (select count(*) from occurrences) as occurrences,
    (select count(*) from dead_letters) as dead_letters, (select count(*) from workspaces) as workspaces,
    (select count(*) from account_users) as accounts, (select count(*) from sources) as sources,
    (select count(*) from erasures) as erasures`
const MIGRATION = 'select name from schema_migrations order by name desc limit 1'
const LAST_ERASURE =
  'select asked_at, finished_at is not null as is_finished from erasures order by asked_at desc, id desc limit 1'

/**
 * What a backup says of itself, across all workspaces: `query` is the owner of the database, whom no row is hidden
 * from.
 */
export const readBackupFacts = async (query: Query): Promise<BackupFacts> => {
  const [counts = {}] = await query<Record<string, number | string>>(COUNTS)
  const [migration] = await query<{ name: string }>(MIGRATION)
  const [erasure] = await query<{ asked_at: Date; is_finished: boolean }>(LAST_ERASURE)
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    migration: migration?.name ?? '',
    last_erasure: erasure === undefined ? null : { ...erasure, asked_at: erasure.asked_at.toISOString() },
  }
}
