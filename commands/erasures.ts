import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Database } from '../infra/postgres/port.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { readKeys } from '../infra/runtime/data-directory.ts'
import { AssayError, codeOf, storageError } from '../infra/runtime/errors.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { KEY_CONFIG } from '../infra/runtime/program-config.ts'
import { createSealer, type InstallationKey, withKeyBefore } from '../infra/runtime/secrets.ts'
import { choice, optional, text } from '../infra/runtime/settings.ts'
import { type ErasureList, eraseAgain, parseErasureList, readErasureList } from '../model/erasures/erasure-list.ts'
import { counted, plural } from '../schemas/domain/for-people.ts'
import { OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

export const ERASURES_ARGUMENTS = {
  erasuresAction: choice<'save' | 'again'>({
    env: '<action>',
    formerly: /^ERASURES_ACTION$/,
    values: ['save', 'again'],
    doc: 'save writes the list beside backups, again erases what is in it once more.',
  }),
  erasuresFile: text({
    env: '<file>',
    formerly: /^ERASURES_FILE$/,
    doc: 'The list of erasures, or the folder of the backups that it is beside.',
  }),
}

export const ERASURES_CONFIG = {
  ...OPERATOR_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  previousInstallationKey: KEY_CONFIG.previousInstallationKey,
}

type Config = ConfigOf<typeof ERASURES_CONFIG & typeof ERASURES_ARGUMENTS>

const LIST = 'assay.erasures'

/** The path of the list for backups in this folder. */
export const listBeside = (backup: string): string => join(dirname(resolve(backup)), LIST)

/**
 * The path of a new file. A missing folder, such as an unmounted disk, is an error: otherwise a file would take its
 * name.
 */
export const newFile = (path: string, ending: string): string => {
  if (path.endsWith(ending)) return path
  const message = `${path} is not there. Make the folder, or name a file that ends in ${ending}.`
  throw new AssayError('invalid_input', message)
}

const listAt = async (named: string): Promise<string> => {
  const path = resolve(named)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return join(path, LIST)
  return found === null ? newFile(path, '.erasures') : path
}

/** Null without a list. */
const readList = async (file: string): Promise<ErasureList | null> => {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw storageError(error, file)
  })
  return content === null ? null : parseErasureList(content, file)
}

/** Adds the installation's erasures to the list, and replaces the file as a whole. Returns the number of marks. */
export const saveErasures = async (database: Database, file: string): Promise<number> => {
  const list = await readErasureList(database, await readList(file))
  const partial = `${file}.partial`
  try {
    await writeFile(partial, `${JSON.stringify(list)}\n`, { mode: 0o600, flush: true })
    await rename(partial, file)
  } catch (error) {
    throw storageError(error, file, 'the folder is not there')
  }
  return list.marks.length
}

const keyOf = async ({ installationKey, previousInstallationKey, dataDirectory, databaseUrl }: Config) => {
  if (installationKey !== null) return withKeyBefore(installationKey, previousInstallationKey)
  return databaseUrl === null ? readKeys(dataDirectory) : null
}

/** Repeats the erasures in the list that the installation lacks. Returns a message; null without a list. */
export const eraseListed = async (
  file: string,
  key: InstallationKey | null,
  openDatabase: () => Promise<Database>,
): Promise<string | null> => {
  const list = await readList(file)
  if (list === null) return null
  const command = `assay erasures again ${file}`
  if (key === null)
    throw new AssayError(
      'invalid_configuration',
      `Later erasures were not done again: set INSTALLATION_KEY, and run \`${command}\`.`,
    )
  const { begun, busy } = await eraseAgain(await openDatabase(), list, createSealer(key).seal)
  if (busy > 0)
    throw new AssayError(
      'conflict',
      `Later erasures were not done again in ${counted(busy, 'workspace')}, where an erasure, an import or an export is under way. Wait for its end, then run \`${command}\`.`,
    )
  const known = `The list of erasures is of ${list.saved_at}`
  if (begun === 0) return `${known}: there is nothing to erase again.`
  return `${known}: what was erased since then goes again in ${counted(begun, 'workspace')} as soon as Assay runs. Settings → Erase has the proof.`
}

/** Saves the list of erasures beside backups, or repeats its erasures after a restore. */
export const runErasures = (config: Config): Promise<void> =>
  runProgram({ name: 'erasures', logLevel: 'silent' }, async program => {
    const file = await listAt(config.erasuresFile)
    const openDatabase = () => openOperatorDatabase(config, program)
    if (config.erasuresAction === 'save') {
      const marks = await saveErasures(await openDatabase(), file)
      process.stdout.write(
        `${file}\n${counted(marks, 'mark')} of erasures. ${plural(marks, 'It is a keyed hash', 'They are keyed hashes')}: the list names nobody.\n`,
      )
    } else {
      const sentence = await eraseListed(file, await keyOf(config), openDatabase)
      if (sentence === null) throw new AssayError('invalid_input', `There is no list of erasures at ${file}.`)
      process.stdout.write(`${sentence}\n`)
    }
    await program.lifecycle.stop()
  })
