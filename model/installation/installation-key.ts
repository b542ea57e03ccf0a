import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { memoizeSuccess } from '../../infra/runtime/promises.ts'
import {
  createSealer,
  derivedSecrets,
  type InstallationKey,
  keyBefore,
  keyCheckValue,
  sameSecret,
} from '../../infra/runtime/secrets.ts'

interface Given {
  readonly installationKey: InstallationKey
  /** Whether to go on with a key that the data was not sealed with. */
  readonly acceptNewKey: boolean
}

const NEWEST_SECRET =
  'select sealed_secret as sealed from sources where sealed_secret is not null order by changed_at desc limit 1'
const NOTE = 'insert into installation_key (check_value) values ($1) on conflict (only_row) do nothing'
const NOTED = 'select check_value from installation_key'
const FOLLOWS = 'update installation_key set next_check_value = $1 where next_check_value is distinct from $1'
const REPLACE =
  'update installation_key set check_value = $1, next_check_value = null, created_at = now() where check_value <> $1'

const foreign = (cause?: unknown): AssayError =>
  new AssayError(
    'invalid_configuration',
    'The installation key is not the one that the data in the database was sealed with: no source and no session could be read with it. ' +
      'Restore the key, which is INSTALLATION_KEY or, with embedded stores, the file installation.key in the data directory. ' +
      'While the key is replaced, INSTALLATION_KEY_BEFORE must be the old one until `assay key status` says that nothing is left. ' +
      'If it is lost for good, start once with ACCEPT_NEW_INSTALLATION_KEY=true: every source then needs a new secret, and everyone signs in again.',
    { cause },
  )

/** A database of an earlier version has no note yet: then what was sealed last tells. */
const assertUnseals = async (transaction: Transaction, installationKey: InstallationKey): Promise<void> => {
  const [newest] = await transaction.query<{ sealed: Uint8Array }>(NEWEST_SECRET)
  if (newest === undefined) return
  try {
    createSealer(installationKey).unsealBytes(newest.sealed)
  } catch (error) {
    throw foreign(error)
  }
}

/**
 * Notes in the database which key the installation has, when it has none yet; after that rejects with
 * `invalid_configuration` for any other. While a key takes the place of another, either may be the noted one. Asks
 * once: a key that was right stays so.
 */
export const createKeyCheck = (database: Database, { installationKey, acceptNewKey }: Given): (() => Promise<void>) =>
  memoizeSuccess(() =>
    database.transaction({ role: 'assay_edge' }, async transaction => {
      const own = keyCheckValue(installationKey)
      const [noted] = await transaction.query<{ check_value: Uint8Array }>(NOTED)
      if (noted === undefined && !acceptNewKey) await assertUnseals(transaction, installationKey)
      if (noted === undefined) await transaction.query(NOTE, [own])
      if (acceptNewKey) await transaction.query(REPLACE, [own])
      // Of programs that start for the first time at the same moment one was quicker.
      const [row] = await transaction.query<{ check_value: Uint8Array }>(NOTED)
      if (row !== undefined && sameSecret(row.check_value, own)) return
      const before = keyBefore(installationKey)
      if (row === undefined || before === null || !sameSecret(row.check_value, keyCheckValue(before))) throw foreign()
      await transaction.query(FOLLOWS, [own])
    }),
  )

/** A column whose values are sealed with the installation's key. */
export interface SealedColumn {
  readonly table: string
  /** The primary key, with the types of its columns. */
  readonly key: readonly (readonly [column: string, type: 'uuid' | 'text' | 'bigint'])[]
  readonly column: string
  /** Which rows; those without a value are none. */
  readonly only?: string
  /** Rows that are held in memory at once. */
  readonly batch: number
  /** Rows of the installation are seen as a whole; others a workspace at a time. */
  readonly of: 'workspace' | 'installation'
  /** Text that the account library encrypts, with a secret made of the key; else bytes, which we seal. */
  readonly isOfAccounts?: true
}

const ID = [['id', 'uuid']] as const

/** What the secrets of the account library are derived for. */
export const ACCOUNT_SECRETS = 'sessions'

/** Everything that is sealed; a test holds this list to the schema. */
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
  { table: 'outgoing_mail', key: ID, column: 'sealed', batch: 200, of: 'installation' },
  { table: 'account_two_factors', key: ID, column: 'secret', batch: 50, of: 'installation', isOfAccounts: true },
  { table: 'account_two_factors', key: ID, column: 'backup_codes', batch: 50, of: 'installation', isOfAccounts: true },
]

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
