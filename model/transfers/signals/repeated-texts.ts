import type { Transaction } from '../../../infra/postgres/port.ts'
import { textHash } from '../../signals/text-hash.ts'
import type { Transfer } from '../transfer.ts'
import type { ImportedRecord } from './next-signals.ts'

const ADD = `
  insert into transfer_texts (workspace_id, transfer_id, hash, line)
  select $1, $2, hash, min(line) from unnest($3::bigint[], $4::integer[]) as given (hash, line) group by hash
  on conflict (transfer_id, hash) do nothing`

const REPEATED = `
  select given.line from unnest($2::bigint[], $3::integer[]) as given (hash, line)
  join transfer_texts on transfer_id = $1 and transfer_texts.hash = given.hash
  where transfer_texts.line <> given.line
  order by given.line`

/** Keeps which texts these records say, and answers the lines of those that an earlier line says too. Done again, it answers the same. */
export const recordTexts = async (
  transaction: Transaction,
  { id, workspace_id }: Pick<Transfer, 'id' | 'workspace_id'>,
  records: readonly ImportedRecord[],
): Promise<readonly number[]> => {
  const texts = records.flatMap(({ line, reading }) =>
    reading.kind === 'signal' ? [{ line, hash: shortHash(reading.body.text) }] : [],
  )
  const [hashes, lines] = [texts.map(({ hash }) => hash), texts.map(({ line }) => line)]
  await transaction.query(ADD, [workspace_id, id, hashes, lines])
  return (await transaction.query<{ line: number }>(REPEATED, [id, hashes, lines])).map(({ line }) => line)
}

/** Of a million texts, two have the same by chance once in forty million files. */
const shortHash = (text: string): string => BigInt.asIntN(64, BigInt(`0x${textHash(text).slice(0, 16)}`)).toString()
