import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { FILE_SIZES, QUOTAS, type QuotaName, type Quotas } from './quotas.ts'

// Whoever adds to the same quota at once waits here until this transaction has ended, and then counts what it made.
const LOCK = `select pg_advisory_xact_lock(hashtextextended($1, 0))`

/**
 * Holds a place for one more of a thing, or for as many as are asked for, until the transaction ends; to be called
 * before it is made. `of` is the id of the account, the workspace or the key that has it. Rejects with `quota_exceeded`
 * when there is none.
 */
export const requireQuota = async (
  transaction: Transaction,
  quotas: Quotas,
  name: QuotaName,
  of: string,
  asked = 1,
): Promise<void> => {
  const { count, things, of: holder, free, setting } = QUOTAS[name]
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
    `This ${holder} has ${present} ${things}, and ${allowed} are allowed: ${refused}. ${free}, or ask the operator of this installation to raise ${setting.env}.`,
    { context: { quota: name, asked, allowed, present, setting: setting.env } },
  )
}

const MIB = 1024 * 1024

/** Throws `too_large` for a file that is longer than it may be. The length is in bytes. */
export const requireSize = (quotas: Quotas, name: keyof typeof FILE_SIZES, bytes: number): void => {
  const allowed = quotas[name]
  if (bytes <= allowed * MIB) return
  const { env } = FILE_SIZES[name]
  throw new AssayError(
    'too_large',
    `The file is too large: at most ${allowed} MB. Cut it into several files, or ask the operator of this installation to raise ${env}.`,
    { context: { quota: name, allowed: allowed * MIB, setting: env } },
  )
}
