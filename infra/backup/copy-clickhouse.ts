import { copyFile, mkdir, readlink, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { EmbeddedClickHouse } from '../clickhouse/embedded/index.ts'
import { nullWhereMissing } from '../runtime/errors.ts'
import { listEntries } from '../runtime/list-entries.ts'
import type { Archive } from './archive.ts'

/** Letters alone: ClickHouse writes others differently into the name of the folder. */
const FROZEN = 'assay_backup'
/** Which blocks were inserted: what comes again with one of these tokens is not inserted twice. */
const TOKENS = /^store\/[^/]+\/[^/]+\/deduplication_logs\/[^/]+$/
/** What a table is, beside its data. */
const DEFINITIONS = /^store\/.*(\.sql|\/format_version\.txt)$/

/** ClickHouse's `FREEZE`: parts of tables never change, so links to them are a copy. It shows the moment of `cut`. */
export const copyClickHouse = (clickhouse: Pick<EmbeddedClickHouse, 'freeze'>, directory: string) => {
  const frozen = join(directory, 'shadow', FROZEN)
  const end = () => rm(frozen, { recursive: true, force: true })
  return {
    /** While the log stands still. */
    async cut(): Promise<void> {
      await end()
      await clickhouse.freeze(FROZEN)
      for (const { entry, path } of await listEntries(join(directory, 'store'))) {
        const place = relative(directory, path)
        if (!(entry.isFile() && TOKENS.test(place))) continue
        await mkdir(dirname(join(frozen, place)), { recursive: true })
        // ClickHouse removes a list of tokens when all of them are too old to count.
        await nullWhereMissing(copyFile(path, join(frozen, place)))
      }
    },
    /** While everything goes on. */
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
