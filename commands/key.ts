import type { ConfigOf } from '../infra/runtime/config.ts'
import { forgetKeyBefore, readKeys, replaceKey } from '../infra/runtime/data-directory.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { KEY_CONFIG } from '../infra/runtime/program-config.ts'
import { type InstallationKey, keyAfter, keyBefore, withKeyBefore } from '../infra/runtime/secrets.ts'
import { choice, optional } from '../infra/runtime/settings.ts'
import { readSealedCounts, reseal, type SealedCount } from '../model/installation/replace-key.ts'
import { counted, plural } from '../schemas/domain/for-people.ts'
import { OPERATOR_CONFIG, openOperatorDatabase } from './operator-database.ts'

export const KEY_ARGUMENTS = {
  keyAction: choice<'new' | 'rotate' | 'status'>({
    env: '[action]',
    formerly: /^KEY_ACTION$/,
    values: ['new', 'rotate', 'status'],
    doc: 'new makes the next key, rotate seals everything with it, status says what is left.',
    default: 'status',
  }),
}

export const KEY_COMMAND_CONFIG = {
  ...OPERATOR_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  previousInstallationKey: KEY_CONFIG.previousInstallationKey,
}

type Config = ConfigOf<typeof KEY_COMMAND_CONFIG & typeof KEY_ARGUMENTS>

const keysOf = async ({ installationKey, previousInstallationKey, dataDirectory, databaseUrl }: Config) => {
  if (installationKey !== null) return withKeyBefore(installationKey, previousInstallationKey)
  const kept = databaseUrl === null ? await readKeys(dataDirectory) : null
  if (kept !== null) return kept
  throw new AssayError(
    'invalid_configuration',
    'Set INSTALLATION_KEY to the key of the installation, or DATA_DIR to the folder that has it.',
  )
}

const makeNew = async (config: Config): Promise<string> => {
  if (config.installationKey === null) {
    await keysOf(config)
    await replaceKey(config.dataDirectory)
    return 'The new key is in the data directory, beside the one before. Restart Assay: everyone signs in again, and everything else goes on. Then run `assay key rotate`.'
  }
  const key = Buffer.from(keyAfter(config.installationKey)).toString('base64url')
  return `INSTALLATION_KEY=${key}\nGive this to every program, with PREVIOUS_INSTALLATION_KEY set to the key that they have now, and restart them: processors and edges first, the query API last. Then run \`assay key rotate\` with both.`
}

const tableOf = (counts: readonly SealedCount[]): string =>
  [
    `${'sealed'.padEnd(34)}${'with the key'.padStart(14)}${'the one before'.padStart(16)}${'neither'.padStart(10)}`,
    ...counts.map(
      ({ table, column, current, before, unreadable }) =>
        `${`${table}.${column}`.padEnd(34)}${String(current).padStart(14)}${String(before).padStart(16)}${String(unreadable).padStart(10)}`,
    ),
  ].join('\n')

const sentenceOf = (counts: readonly SealedCount[], key: InstallationKey): string => {
  const left = counts.reduce((sum, { before }) => sum + before, 0)
  if (left > 0) return `${counted(left, 'value')} ${plural(left, 'is', 'are')} left. Run \`assay key rotate\`.`
  return keyBefore(key) === null ? 'One key is in force.' : 'Nothing is left that is sealed with the key before.'
}

const rotate = async (config: Config, key: InstallationKey, seal: () => Promise<readonly SealedCount[]>) => {
  if (keyBefore(key) === null)
    throw new AssayError(
      'invalid_configuration',
      'There is one key, and so nothing to seal anew. `assay key new` makes the next one.',
    )
  const counts = await seal()
  const isDone = counts.every(({ before }) => before === 0)
  if (isDone && config.installationKey === null) await forgetKeyBefore(config.dataDirectory)
  const next = config.installationKey === null ? '' : ' Remove PREVIOUS_INSTALLATION_KEY from every program.'
  return `${tableOf(counts)}\n${isDone ? `Everything is sealed with the new key. The old one opens nothing here any more.${next}` : sentenceOf(counts, key)}`
}

/** Makes the next key, seals everything with it, or shows the progress. */
export const runKey = (config: Config): Promise<void> =>
  runProgram({ name: 'key', logLevel: 'silent' }, async program => {
    if (config.keyAction === 'new') process.stdout.write(`${await makeNew(config)}\n`)
    else {
      const key = await keysOf(config)
      const database = await openOperatorDatabase(config, program)
      const text =
        config.keyAction === 'rotate'
          ? await rotate(config, key, () => reseal(database, key))
          : await readSealedCounts(database, key).then(counts => `${tableOf(counts)}\n${sentenceOf(counts, key)}`)
      process.stdout.write(`${text}\n`)
    }
    await program.lifecycle.stop()
  })
