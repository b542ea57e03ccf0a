import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { createSealer, derivedSecrets, type InstallationKey } from '../../infra/runtime/secrets.ts'

// A file of its own, because it loads the account library's ciphers, which the key check at each start does not need.

/** A column of values that are sealed with the installation's key. */
export interface SealedColumn {
  readonly table: string
  /** Primary key with the types of its columns. */
  readonly key: readonly (readonly [column: string, type: 'uuid' | 'text' | 'bigint'])[]
  readonly column: string
  /** Condition on the rows; rows without a value are always left out. */
  readonly only?: string
  /** Rows in memory at once. */
  readonly batch: number
  /** `installation`: all rows are visible at once; `workspace`: one workspace at a time. */
  readonly of: 'workspace' | 'installation'
  /**
   * True for text that the account library encrypts with a secret derived from the key; other values are bytes that we
   * seal.
   */
  readonly isOfAccounts?: true
}

const ID = [['id', 'uuid']] as const

/** Purpose from which the account library's secret is derived. */
export const ACCOUNT_SECRETS = 'sessions'

/** Every sealed column. A test compares the list with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'sources', key: ID, column: 'sealed_secret', batch: 200, of: 'workspace' },
  { table: 'sources', key: ID, column: 'previous_sealed_secret', batch: 200, of: 'workspace' },
  {
    table: 'dead_letters',
    key: [
      ['signal_id', 'uuid'],
      ['step', 'text'],
    ],
    column: 'record',
    only: 'sealed',
    batch: 100,
    of: 'workspace',
  },
  {
    table: 'transfer_pieces',
    key: [
      ['transfer_id', 'uuid'],
      ['starts_at', 'bigint'],
    ],
    column: 'sealed',
    batch: 8,
    of: 'workspace',
  },
  { table: 'erasures', key: ID, column: 'sealed', batch: 50, of: 'workspace' },
  { table: 'rewrites', key: ID, column: 'sealed', batch: 50, of: 'installation' },
  { table: 'outgoing_mail', key: ID, column: 'sealed', batch: 200, of: 'installation' },
  { table: 'account_two_factors', key: ID, column: 'secret', batch: 50, of: 'installation', isOfAccounts: true },
  { table: 'account_two_factors', key: ID, column: 'backup_codes', batch: 50, of: 'installation', isOfAccounts: true },
]

/** A stored value: bytes that we sealed, or text that the account library encrypted. */
export type Sealed = Uint8Array | string

/** Seals of one key on a column. */
interface Seals {
  /** Null for a value of another key. */
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

/** The seals of one key on a column, without the previous key. */
export const sealsOf = ({ isOfAccounts }: Pick<SealedColumn, 'isOfAccounts'>, key: InstallationKey): Seals => {
  const seals = isOfAccounts ? sealsOfAccounts(key) : sealsOfBytes(key)
  return { ...seals, open: sealed => seals.open(sealed).catch(() => null) }
}
