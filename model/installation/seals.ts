import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { createSealer, derivedSecrets, type InstallationKey } from '../../infra/runtime/secrets.ts'
import { ACCOUNT_SECRETS, type SealedColumn } from './sealed-columns.ts'

/** As it is stored: bytes that we sealed, or text that the account library encrypted. */
export type Sealed = Uint8Array | string

/** One key's seals on a column. */
interface Seals {
  /** Null when it is not of this key. */
  open(sealed: Sealed): Promise<Sealed | null>
  seal(plain: Sealed): Promise<Sealed>
}

const sealsOfBytes = (key: InstallationKey): Seals => {
  const { sealBytes, unsealBytes } = createSealer(key)
  return {
    open: async sealed => unsealBytes(Buffer.from(sealed)),
    seal: async plain => sealBytes(Buffer.from(plain)),
  }
}

const sealsOfAccounts = (installationKey: InstallationKey): Seals => {
  const [{ version, value }] = derivedSecrets(installationKey, ACCOUNT_SECRETS)
  const key = { keys: new Map([[version, value]]), currentVersion: version }
  return {
    open: sealed => symmetricDecrypt({ key, data: String(sealed) }),
    seal: plain => symmetricEncrypt({ key, data: String(plain) }),
  }
}

/** The seals of one key on a column, without those of the key before. */
export const sealsOf = ({ isOfAccounts }: Pick<SealedColumn, 'isOfAccounts'>, key: InstallationKey): Seals => {
  const seals = isOfAccounts ? sealsOfAccounts(key) : sealsOfBytes(key)
  return { ...seals, open: sealed => seals.open(sealed).catch(() => null) }
}
