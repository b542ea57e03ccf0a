import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { KEY_FILE, KEY_FILES, type Manifest, PARTS } from '../infra/backup/archive.ts'
import { readArchive } from '../infra/backup/read-archive.ts'
import { SEALED_MAGIC, unsealStream } from '../infra/backup/sealed-stream.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { readMigrations } from '../infra/postgres/migrate.ts'
import { createPool } from '../infra/postgres/pool.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import {
  assertRoom,
  NO_DIRECTORY,
  notFinished,
  openDataDirectory,
  RESTORING,
  readKeys,
} from '../infra/runtime/data-directory.ts'
import { AssayError, storageError } from '../infra/runtime/errors.ts'
import { type Program, runProgram } from '../infra/runtime/program.ts'
import { keyCheckValue } from '../infra/runtime/secrets.ts'
import { startEmbeddedDatabase } from '../infra/stores.ts'
import { type RESTORE_ARGUMENTS, type RESTORE_CONFIG, readPassphrase } from './backup-config.ts'
import { eraseListed, listBeside } from './erasures.ts'

type Config = ConfigOf<typeof RESTORE_CONFIG & typeof RESTORE_ARGUMENTS>

const refusedFolder = async (folder: string): Promise<AssayError> => {
  const newest = (await readdir(folder))
    .filter(name => name.endsWith('.backup'))
    .toSorted()
    .at(-1)
  const which = newest === undefined ? 'None is in it.' : `The newest in it is ${join(folder, newest)}.`
  return new AssayError('invalid_input', `${folder} is a folder: name the backup to restore. ${which}`)
}

const isSealed = async (file: string): Promise<boolean> => {
  const handle = await open(file).catch((error: unknown) => {
    throw storageError(error, file, 'there is no such file')
  })
  try {
    if ((await handle.stat()).isDirectory()) throw await refusedFolder(file)
    const { buffer } = await handle.read(Buffer.alloc(SEALED_MAGIC.length), 0, SEALED_MAGIC.length, 0)
    return buffer.equals(SEALED_MAGIC)
  } finally {
    await handle.close()
  }
}

/** The archive in the file. An error at any stage ends it. */
const openArchive = async (file: string, passphrase: string | null): Promise<Readable> => {
  const sealed = await isSealed(file)
  if (sealed && passphrase === null)
    throw new AssayError(
      'invalid_configuration',
      'The backup is encrypted. Set BACKUP_PASSPHRASE_FILE or BACKUP_PASSPHRASE.',
    )
  const bytes = createReadStream(file, { start: sealed ? SEALED_MAGIC.length : 0 })
  const compressed =
    sealed && passphrase !== null ? Readable.from(unsealStream(passphrase)(bytes), { objectMode: false }) : bytes
  const archive = createZstdDecompress()
  compressed.once('error', (error: Error) => archive.destroy(error))
  return compressed.pipe(archive)
}

const assertEmpty = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw storageError(error, directory, NO_DIRECTORY)
  })
  const found = (await readdir(directory)).filter(name => name !== 'lost+found')
  if (found.length === 0) return
  if (found.includes(RESTORING)) throw notFinished(directory)
  const message = `${directory} is not empty (it has ${found.slice(0, 3).join(', ')}), and a restore replaces nothing. Set DATA_DIR to a new folder, or move away what is in this one.`
  throw new AssayError('invalid_input', message)
}

const assertKnown = async ({ migration, assay }: Manifest): Promise<void> => {
  const known = await readMigrations()
  if (known.some(({ name }) => name === migration)) return
  const message = `The backup was made by Assay ${assay}, whose database has the migration ${migration}. This version does not know it: restore with that version, or a later one.`
  throw new AssayError('invalid_input', message)
}

/** Checks that the key of the data is known: from the backup, or from INSTALLATION_KEY. */
const keySentence = async (folder: string, manifest: Manifest, { installationKey }: Config): Promise<string> => {
  const inBackup = await readFile(join(folder, KEY_FILE), 'utf8').catch(() => null)
  const key = inBackup === null ? installationKey : Buffer.from(inBackup.trim(), 'base64url')
  if (key === null)
    return 'The key is not in the backup: start it with INSTALLATION_KEY set to the one that it was made with.'
  if (keyCheckValue(key).toString('hex') === manifest.key_check) return 'The key fits the data.'
  const message =
    inBackup === null
      ? 'INSTALLATION_KEY is not the key that the backup was sealed with.'
      : 'The key in the backup is not the one that its data was sealed with.'
  throw new AssayError('invalid_configuration', `${message} Nothing was restored.`)
}

const erasureSentence = ({ last_erasure: erasure }: Manifest): string => {
  const last =
    erasure === null
      ? 'none was asked for'
      : `the last one was asked for at ${erasure.asked_at}${erasure.is_finished ? '' : ', and goes on when it is started'}`
  return `Erasures until then: ${last}.`
}

/** Repeats the erasures after the backup that the list beside it has. */
const eraseLater = async (
  { installationKey, dataDirectory, backupFile }: Config,
  { made_at }: Manifest,
  { logger, lifecycle }: Pick<Program, 'logger' | 'lifecycle'>,
): Promise<string> => {
  const openDatabase = async () => {
    const data = await openDataDirectory(dataDirectory)
    lifecycle.onStop('the data directory', data.release)
    const connection = await startEmbeddedDatabase({ data, logger, lifecycle })
    const database = createDatabase(createPool({ connection, max: 1, logger }))
    lifecycle.onStop('the database’s pool', database.close)
    return database
  }
  const key = installationKey ?? (await readKeys(dataDirectory))
  return (
    (await eraseListed(listBeside(backupFile), key, openDatabase)) ??
    `There is no list of erasures beside the backup. Erase again what was asked for after ${made_at}: docs/operations/erase.md.`
  )
}

/**
 * Restores a backup into an empty data directory. Files are written to a separate folder, verified, and renamed at the
 * end. A directory with an interrupted restore cannot be started.
 */
export const runRestore = (config: Config): Promise<void> =>
  runProgram({ name: 'restore', logLevel: 'silent' }, async program => {
    const directory = resolve(config.dataDirectory)
    const passphrase = await readPassphrase(config)
    const archive = await openArchive(resolve(config.backupFile), passphrase)
    await assertEmpty(directory)
    const folder = join(directory, RESTORING)
    await mkdir(folder, { mode: 0o700 })
    let manifest: Manifest
    let key: string
    try {
      manifest = await readArchive(archive, folder)
      await assertKnown(manifest)
      key = await keySentence(folder, manifest, config)
      // The later erasures below start the restored installation, which needs free disk space.
      await assertRoom(directory)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    for (const name of [...PARTS.filter(part => part !== 'key'), ...KEY_FILES])
      await rename(join(folder, name), join(directory, name)).catch((error: NodeJS.ErrnoException) => {
        if (!(KEY_FILES.includes(name) && error.code === 'ENOENT')) throw error
      })
    await rm(folder, { recursive: true })
    const counts = Object.entries(manifest.counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
    process.stdout.write(
      `${directory} is as it was at ${manifest.made_at}: ${counts.join(', ')}.\n${key}\n${erasureSentence(manifest)}\n`,
    )
    process.stdout.write(`${await eraseLater(config, manifest, program)}\n`)
    await program.lifecycle.stop()
  })
