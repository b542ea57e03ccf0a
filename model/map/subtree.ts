import type { Transaction } from '../../infra/postgres/port.ts'
import type { NodeId } from '../../schemas/domain/ids.ts'

const BELOW = 'select id from map_subtree($1) as id'

/** The node and all that is below it, in no order. */
export const subtreeOf = async (transaction: Transaction, node: string): Promise<readonly NodeId[]> =>
  (await transaction.query<{ id: NodeId }>(BELOW, [node])).map(({ id }) => id)
