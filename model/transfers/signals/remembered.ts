import type { Transaction } from '../../../infra/postgres/port.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import type { Transfer } from '../transfers.ts'
import { readingOf } from './imported-signals.ts'
import { shortHash } from './known-rows.ts'

/** How an imported file was read. */
export interface RememberedReading {
  /** Hash of the names of the file's columns. */
  readonly columns_hash: string
  /** Name of the file. */
  readonly name: string
  readonly reading: CsvReading
}

/** Hash of the names of a file's columns in their order; null where it names none. */
export const hashOfColumns = (names: readonly string[]): string | null =>
  names.length === 0 ? null : shortHash(JSON.stringify(names))

const REMEMBER = 'update transfers set columns_hash = $2 where id = $1'

/** Stores which columns a file has, so that the next file with the same ones can be read as this one. */
export const rememberColumns = async (
  transaction: Transaction,
  id: Transfer['id'],
  names: readonly string[],
): Promise<void> => {
  await transaction.query(REMEMBER, [id, hashOfColumns(names)])
}

/** A workspace has few kinds of files that it imports again and again. */
const MAX_REMEMBERED = 50

const REMEMBERED = `
  select columns_hash, name, reading from transfers
  where columns_hash is not null and job_id is not null
  order by created_at desc, id desc limit ${MAX_REMEMBERED}`

/** How the latest imported files of the transaction's workspace were read, the newest first. */
export const rememberedReadings = async (transaction: Transaction): Promise<readonly RememberedReading[]> => {
  const rows = await transaction.query<Pick<Transfer, 'name' | 'reading'> & { readonly columns_hash: string }>(
    REMEMBERED,
  )
  return rows.flatMap(({ columns_hash, name, reading: stored }) => {
    const reading = readingOf({ reading: stored })
    return reading === null ? [] : [{ columns_hash: String(columns_hash), name, reading }]
  })
}
