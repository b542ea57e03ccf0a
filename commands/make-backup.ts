import type { Readable } from 'node:stream'
import { type BackupFacts, createArchive, FORMAT } from '../infra/backup/archive.ts'
import type { MadeBackup } from '../infra/backup/backup-socket.ts'
import { copyEmbedded, type EmbeddedEngines } from '../infra/backup/copy-embedded.ts'
import type { Query } from '../infra/backup/copy-postgres.ts'
import { readProductVersion } from '../infra/runtime/product-version.ts'
import { type InstallationKey, keyCheckValue } from '../infra/runtime/secrets.ts'

const COUNTS = `
  select (select count(*) from signals) as signals, (select count(*) from occurrences) as occurrences,
    (select count(*) from dead_letters) as dead_letters, (select count(*) from workspaces) as workspaces,
    (select count(*) from account_users) as accounts, (select count(*) from sources) as sources,
    (select count(*) from erasures) as erasures`
const MIGRATION = 'select name as migration from schema_migrations order by name desc limit 1'
const LAST_ERASURE =
  'select asked_at, finished_at is not null as is_finished from erasures order by asked_at desc, id desc limit 1'

/**
 * The figures in a backup's manifest, over all workspaces. `query` runs as the owner of the database, who sees all
 * rows.
 */
const readBackupFacts = async (query: Query): Promise<BackupFacts> => {
  const [counts = {}] = await query<Record<string, number | string>>(COUNTS)
  const [newest] = await query<{ migration: string }>(MIGRATION)
  const [erasure] = await query<{ asked_at: Date; is_finished: boolean }>(LAST_ERASURE)
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    migration: newest?.migration ?? '',
    last_erasure: erasure === undefined ? null : { ...erasure, asked_at: erasure.asked_at.toISOString() },
  }
}

/** A backup of embedded stores that are open in this process: a tar archive that is made while it is read. */
const makeBackup = async (
  engines: EmbeddedEngines,
  installationKey: InstallationKey,
): Promise<MadeBackup & { readonly ended: Promise<void> }> => {
  const version = readProductVersion()
  const archive = createArchive()
  let postgres = ''
  const copy = async () => {
    const { facts, at, heldMs, logRecords } = await copyEmbedded(engines, archive, async query => {
      postgres = (await query<{ server_version: string }>('show server_version'))[0]?.server_version ?? ''
      return readBackupFacts(query)
    })
    archive.finish({
      format: FORMAT,
      assay: version,
      postgres,
      made_at: at.toISOString(),
      held_ms: heldMs,
      key_check: keyCheckValue(installationKey).toString('hex'),
      ...facts,
      counts: { ...facts.counts, log_records: logRecords },
    })
  }
  const ended = copy().catch(error => void archive.stream.destroy(error))
  const stream = archive.stream as unknown as Readable
  const stop = async () => {
    stream.destroy()
    await ended
  }
  return { stream, stop, ended }
}

/** Makes backups one after another: each starts when the one before has ended. */
export const createBackups = (
  engines: EmbeddedEngines,
  installationKey: InstallationKey,
): (() => Promise<MadeBackup>) => {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const made = last.then(() => makeBackup(engines, installationKey))
    last = made.then(({ ended }) => ended).catch(() => {})
    return made
  }
}
