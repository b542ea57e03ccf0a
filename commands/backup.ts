import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { askForBackup } from '../infra/backup/backup-socket.ts'
import { noteBackup } from '../infra/backup/measure-data.ts'
import { sealStream } from '../infra/backup/sealed-stream.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { runningPostgres } from '../infra/postgres/embedded/socket-directory.ts'
import { createPool, type PostgresConnection } from '../infra/postgres/pool.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { openDataDirectory } from '../infra/runtime/data-directory.ts'
import { AssayError, isAssayError, storageError } from '../infra/runtime/errors.ts'
import { type Program, runProgram } from '../infra/runtime/program.ts'
import { startStores } from '../infra/stores.ts'
import { type BACKUP_ARGUMENTS, type BACKUP_CONFIG, readPassphrase } from './backup-config.ts'
import { listBeside, newFile, saveErasures } from './erasures.ts'
import { createBackups } from './make-backup.ts'
import { assertKeepsData } from './operator-database.ts'

type Config = ConfigOf<typeof BACKUP_CONFIG & typeof BACKUP_ARGUMENTS>

/** The file to write: the named one, or a new one in the named folder. It must not exist. */
const fileFor = async (named: string, now: Date): Promise<string> => {
  const path = resolve(named)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return join(path, `assay-${now.toISOString().replaceAll(/[:.]/g, '-')}.backup`)
  if (found === null) return newFile(path, '.backup')
  throw new AssayError(
    'invalid_input',
    `${path} is there already, and a backup replaces nothing. Name another file, or a folder.`,
  )
}

const ENGINES = ['databaseUrl', 'clickhouseUrl', 'kafkaBrokers'] as const

const assertEmbedded = (config: Config): void => {
  if (ENGINES.every(engine => config[engine] === null)) return
  const message =
    'This installation has engines of its own (DATABASE_URL, CLICKHOUSE_URL or KAFKA_BROKERS is set): each has its own way to be backed up. docs/operations/back-up.md has the commands.'
  throw new AssayError('invalid_configuration', message)
}

interface Opened {
  readonly backup: Readable
  readonly database: PostgresConnection | null
}

/** A backup from the Assay that runs on the directory, or of the directory itself while none runs. */
const openBackup = async (
  config: Config,
  { logger, lifecycle }: Pick<Program, 'logger' | 'lifecycle'>,
): Promise<Opened> => {
  const { dataDirectory } = config
  assertEmbedded(config)
  assertKeepsData(dataDirectory, null)
  try {
    const data = await openDataDirectory(dataDirectory)
    lifecycle.onStop('the data directory', data.release)
    const installationKey = await data.loadKey({ ...config, acceptNewKey: false })
    const { embedded, postgres } = await startStores({ config, data, logger, lifecycle })
    if (embedded === null) throw new TypeError('every store is embedded, or the command was refused')
    const { stream, stop } = await createBackups(embedded, installationKey)()
    lifecycle.onStop('the copy', stop)
    return { backup: stream, database: postgres }
  } catch (error) {
    if (!isAssayError(error) || error.code !== 'already_running') throw error
    const running = await askForBackup(dataDirectory)
    if (running !== null) return { backup: running, database: await runningPostgres(join(dataDirectory, 'postgres')) }
    const message = `An Assay is running on ${dataDirectory}, and does not answer who asks for a backup. It may still be starting, or be of an earlier version: try again, or stop it first.`
    throw new AssayError('unavailable', message, { cause: error })
  }
}

const flush = async (file: string): Promise<void> => {
  const handle = await open(file)
  await handle.sync().finally(() => handle.close())
}

/** Saves the list of erasures: a restore of an older backup from this folder repeats those that came later. */
const saveBeside = async (
  file: string,
  connection: PostgresConnection,
  { logger, lifecycle }: Pick<Program, 'logger' | 'lifecycle'>,
): Promise<void> => {
  const database = createDatabase(createPool({ connection, max: 1, logger }))
  lifecycle.onStop('the database’s pool', database.close)
  await saveErasures(database, listBeside(file))
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

/**
 * Writes a backup of the embedded stores, whether or not an Assay runs on them. The file gets its name when all of it
 * is on the disk.
 */
export const runBackup = (config: Config): Promise<void> =>
  runProgram({ name: 'backup', logLevel: 'silent' }, async program => {
    const passphrase = await readPassphrase(config)
    const file = await fileFor(config.backupFile, new Date())
    const partial = `${file}.partial`
    const begun = performance.now()
    program.lifecycle.onStop('what is not whole', () => rm(partial, { force: true }).catch(() => {}))
    const { backup, database } = await openBackup(config, program)
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    const sink = createWriteStream(partial, { mode: 0o600 })
    try {
      await (passphrase === null
        ? pipeline(backup, compress, sink)
        : pipeline(backup, compress, sealStream(passphrase), sink))
      await flush(partial)
      await rename(partial, file)
      await noteBackup(config.dataDirectory, new Date())
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      if (isAssayError(error)) throw error
      if ('code' in (error as object) && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
        throw new AssayError(
          'unavailable',
          'The running Assay broke the backup off; its log says why. Nothing was written.',
        )
      throw storageError(error, file, 'the folder is not there')
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const sealed =
      passphrase === null
        ? 'It is not encrypted, and has the installation’s key where that is in the data directory: keep it as you keep the key.'
        : 'It is encrypted: without the passphrase nobody reads it.'
    process.stdout.write(`${file}\n${megabytes((await stat(file)).size)} in ${seconds} s. ${sealed}\n`)
    // After the backup, so that the list has every erasure that the backup has.
    if (database !== null) await saveBeside(file, database, program)
    await program.lifecycle.stop()
  })
