import type { Transaction } from '../../infra/postgres/port.ts'

const NAME = 'select left(name, 200) as name from sources where id = $1'

/** What a source is called, also of one that was deleted; undefined for none of the transaction's workspace. */
export const nameOfSource = async (transaction: Transaction, id: string): Promise<string | undefined> =>
  (await transaction.query<{ name: string }>(NAME, [id]))[0]?.name
