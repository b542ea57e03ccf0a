import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type FILE_SIZES, QUOTAS, type QuotaName, type Quotas, settingOf } from './quotas.ts'

// Simultaneous writes under the same quota wait here for the end of this transaction, and then count its rows.
const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 0))`

/**
 * Reserves places under a quota until the transaction ends. Call before the write. `of` is the id of the account,
 * workspace or key. Rejects with `quota_exceeded` when there is no room.
 *
 * @example
 * await requireQuota(transaction, quotas, 'workspacesOfAccount', userId)
 */
export const requireQuota = async (
  transaction: Transaction,
  quotas: Quotas,
  name: QuotaName,
  of: string,
  asked = 1,
): Promise<void> => {
  const { count, things, of: holder, free } = QUOTAS[name]
  const allowed = quotas[name]
  const [, [found]] = await Promise.all([
    transaction.query(LOCK, [`quota/${name}/${of}`]),
    transaction.query<{ count: number }>(count, [of]),
  ])
  const present = found?.count ?? 0
  if (present + asked <= allowed) return
  const refused = asked === 1 ? 'nothing was made' : `none of the ${asked} that were asked for was made`
  throw new AssayError(
    'quota_exceeded',
    `This ${holder} has ${present} ${things}, and ${allowed} are allowed: ${refused}. ${free}, or ask the operator of this installation to raise ${settingOf(name)}.`,
    { context: { quota: name, asked, allowed, present, setting: settingOf(name) } },
  )
}

const MIB = 1024 * 1024

/** Throws `too_large` for a file above its limit, in bytes. */
export const requireSize = (quotas: Quotas, name: keyof typeof FILE_SIZES, bytes: number): void => {
  const allowed = quotas[name]
  if (bytes <= allowed * MIB) return
  throw new AssayError(
    'too_large',
    `The file is too large: at most ${allowed} MB. Cut it into several files, or ask the operator of this installation to raise ${settingOf(name)}.`,
    { context: { quota: name, allowed: allowed * MIB, setting: settingOf(name) } },
  )
}
