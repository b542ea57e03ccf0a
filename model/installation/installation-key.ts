import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { memoizeSuccess } from '../../infra/runtime/promises.ts'
import {
  createSealer,
  type InstallationKey,
  keyBefore,
  keyCheckValue,
  sameSecret,
} from '../../infra/runtime/secrets.ts'

interface Given {
  readonly installationKey: InstallationKey
  /** True accepts a key that did not seal the data. */
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
      'While the key is replaced, PREVIOUS_INSTALLATION_KEY must be the old one until `assay key status` says that nothing is left. ' +
      'If it is lost for good, start once with ACCEPT_NEW_INSTALLATION_KEY=true: every source then needs a new secret, and everyone signs in again.',
    { cause },
  )

/** A database from an earlier version has no check value yet: the newest sealed secret tells the key. */
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
 * Stores a check value of the installation's key at the first start. Later rejects with `invalid_configuration` for any
 * other key. During a change of the key both are accepted. Checks once: a right key stays right.
 */
export const createKeyCheck = (database: Database, { installationKey, acceptNewKey }: Given): (() => Promise<void>) =>
  memoizeSuccess(() =>
    database.transaction({ role: 'assay_edge' }, async transaction => {
      const own = keyCheckValue(installationKey)
      const [noted] = await transaction.query<{ check_value: Uint8Array }>(NOTED)
      if (noted === undefined && !acceptNewKey) await assertUnseals(transaction, installationKey)
      if (noted === undefined) await transaction.query(NOTE, [own])
      if (acceptNewKey) await transaction.query(REPLACE, [own])
      // Another program that started at the same time was faster.
      const [row] = await transaction.query<{ check_value: Uint8Array }>(NOTED)
      if (row !== undefined && sameSecret(row.check_value, own)) return
      const before = keyBefore(installationKey)
      if (row === undefined || before === null || !sameSecret(row.check_value, keyCheckValue(before))) throw foreign()
      await transaction.query(FOLLOWS, [own])
    }),
  )
