import { readFile } from 'node:fs/promises'
import { AssayError, storageError } from '../infra/runtime/errors.ts'

interface Given {
  readonly backupPassphraseFile: string | null
  readonly backupPassphrase: string | null
}

/** Fewer can be tried out. */
const LEAST_CHARACTERS = 12

/** The passphrase of a backup; null when it is to be as it is. */
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
