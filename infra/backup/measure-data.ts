import { readFile, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { measureNow } from '../runtime/measured-now.ts'
import type { Metrics } from '../runtime/metrics.ts'

/** A file in the data directory, so that a running Assay knows of backups that another process made. */
const noteOf = (dataDirectory: string): string => join(dataDirectory, 'backed-up-at')

/** Notes that a backup is complete and on the disk. */
export const noteBackup = (dataDirectory: string, at: Date): Promise<void> =>
  writeFile(noteOf(dataDirectory), at.toISOString(), { mode: 0o600 })

/** Metrics of silent problems of embedded stores: a full disk, missing backups. */
export const measureData = (metrics: Pick<Metrics, 'registry'>, dataDirectory: string, now = Date.now): void => {
  measureNow(metrics, {
    name: 'assay_disk_free_bytes',
    help: 'What is free on the disk of the data directory',
    read: async () => {
      const { bavail, bsize } = await statfs(dataDirectory)
      return bavail * bsize
    },
  })
  measureNow(metrics, {
    name: 'assay_backup_age_seconds',
    help: 'Since when the last `assay backup` of the data directory is whole; absent before the first one',
    read: async () => (now() - Date.parse(await readFile(noteOf(dataDirectory), 'utf8'))) / 1000,
  })
}
