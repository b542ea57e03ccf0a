import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createArchive } from '../infra/backup/archive.ts'
import { copyEmbedded, type EmbeddedEngines } from '../infra/backup/copy-embedded.ts'
import { FORMAT } from '../infra/backup/manifest.ts'
import { type InstallationKey, keyCheckValue } from '../infra/runtime/secrets.ts'
import { readBackupFacts } from '../model/backup/facts.ts'

const PACKAGE = new URL('../package.json', import.meta.url)

/** A backup of embedded stores that are open in this process, as a tar archive that is made while it is read. */
export const makeBackup = async (engines: EmbeddedEngines, installationKey: InstallationKey): Promise<Readable> => {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string }
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
  copy().catch(error => archive.stream.destroy(error))
  return archive.stream as unknown as Readable
}
