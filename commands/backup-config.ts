import { readFile } from 'node:fs/promises'
import { AssayError, storageError } from '../infra/runtime/errors.ts'
import { EMBEDDED_CONFIG, KEY_CONFIG } from '../infra/runtime/program-config.ts'
import { optional, text } from '../infra/runtime/settings.ts'
import { STORES_CONFIG } from '../infra/stores.ts'

export const BACKUP_ARGUMENTS = {
  backupFile: text({
    env: '<file>',
    formerly: /^BACKUP_FILE$/,
    doc: 'The file to write, or a folder to write one into.',
  }),
}

export const RESTORE_ARGUMENTS = {
  backupFile: text({ env: '<file>', formerly: /^BACKUP_FILE$/, doc: 'The backup to restore.' }),
}

/** The settings of `assay backup` and `assay restore` alone. */
export const BACKUP_SETTINGS = {
  backupPassphraseFile: optional(
    text({
      env: 'BACKUP_PASSPHRASE_FILE',
      doc: 'A file whose first line is the passphrase that `assay backup` seals a backup with, and `assay restore` opens it with.',
    }),
  ),
  backupPassphrase: optional(
    text({
      env: 'BACKUP_PASSPHRASE',
      doc: 'The passphrase itself. Without either a backup is not encrypted.',
      secret: true,
    }),
  ),
}

export const BACKUP_CONFIG = {
  ...EMBEDDED_CONFIG,
  ...STORES_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  previousInstallationKey: KEY_CONFIG.previousInstallationKey,
  ...BACKUP_SETTINGS,
}

export const RESTORE_CONFIG = {
  ...EMBEDDED_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  ...BACKUP_SETTINGS,
}

interface Given {
  readonly backupPassphraseFile: string | null
  readonly backupPassphrase: string | null
}

/** A shorter passphrase could be guessed. */
const LEAST_CHARACTERS = 12

/** The passphrase of a backup; null for an unencrypted one. */
export const readPassphrase = async ({
  backupPassphraseFile: file,
  backupPassphrase,
}: Given): Promise<string | null> => {
  if (file === null && backupPassphrase === null) return null
  const text =
    file === null
      ? backupPassphrase
      : await readFile(file, 'utf8').catch(error => {
          throw storageError(error, file, 'there is no such file. BACKUP_PASSPHRASE_FILE names it')
        })
  const [passphrase = ''] = (text ?? '').split(/\r?\n/, 1)
  if (passphrase.length >= LEAST_CHARACTERS) return passphrase
  const message = `The passphrase of a backup needs ${LEAST_CHARACTERS} characters or more. \`openssl rand -base64 24\` makes one.`
  throw new AssayError('invalid_configuration', message)
}
