import { copyFile, mkdir, readlink, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { EmbeddedClickHouse } from '../clickhouse/embedded/index.ts'
import { nullWhereMissing } from '../runtime/errors.ts'
import { listEntries } from '../runtime/list-entries.ts'
import type { Archive } from './archive.ts'

/** Only letters: ClickHouse escapes other characters in the folder's name. */
const FROZEN = 'assay_backup'
/** Tokens of inserted blocks: a repeated insert with one of them is ignored. */
const TOKENS = /^store\/[^/]+\/[^/]+\/deduplication_logs\/[^/]+$/
/** The definitions of tables. */
const DEFINITIONS = /^store\/.*(\.sql|\/format_version\.txt)$/

/**
 * Copies by ClickHouse's `FREEZE`: parts of tables never change, so that hard links are a copy. Shows the moment of
 * `cut`.
 */
export const copyClickHouse = (clickhouse: Pick<EmbeddedClickHouse, 'freeze'>, directory: string) => {
  const frozen = join(directory, 'shadow', FROZEN)
  const end = () => rm(frozen, { recursive: true, force: true })
  return {
    /** Call while the log is held. */
    async cut(): Promise<void> {
      await end()
      await clickhouse.freeze(FROZEN)
      for (const { entry, path } of await listEntries(join(directory, 'store'))) {
        const place = relative(directory, path)
        if (!(entry.isFile() && TOKENS.test(place))) continue
        await mkdir(dirname(join(frozen, place)), { recursive: true })
        // ClickHouse removes a list of tokens that are all too old.
        await nullWhereMissing(copyFile(path, join(frozen, place)))
      }
    },
    /** Call during normal work. */
    async files(archive: Archive): Promise<void> {
      for (const { entry, path } of await listEntries(join(directory, 'metadata'))) {
        const name = `clickhouse/${relative(directory, path)}`
        if (entry.isSymbolicLink()) archive.link(name, await readlink(path))
        else if (entry.isDirectory()) archive.directory(name)
        else await archive.file(name, path)
      }
      for (const { entry, path } of await listEntries(join(directory, 'store'))) {
        const place = relative(directory, path)
        if (entry.isFile() && DEFINITIONS.test(place)) await archive.file(`clickhouse/${place}`, path)
      }
      for (const { entry, path } of await listEntries(frozen))
        if (entry.isFile()) await archive.file(`clickhouse/${relative(frozen, path)}`, path)
    },
    end,
  }
}
