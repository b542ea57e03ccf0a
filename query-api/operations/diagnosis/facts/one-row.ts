import type { Transaction } from '../../../../infra/postgres/port.ts'

/** The one row of a statement without a from clause. */
export const oneRow = async <Row extends object>(
  transaction: Transaction,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row> => {
  const [row] = await transaction.query<Row>(statement, values)
  if (row === undefined) throw new Error('A statement without a from clause answered no row.')
  return row
}
