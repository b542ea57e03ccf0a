import type { Transaction } from '../../infra/postgres/port.ts'
import type { NodeId } from '../../schemas/domain/ids.ts'

export interface Child {
  readonly id: NodeId
  readonly name: string
}

const CHILDREN = 'select id, name from map_nodes where parent_id = $1 order by name, id'

/** The nodes right below one, by name. */
export const childrenOf = (transaction: Transaction, node: string): Promise<Child[]> =>
  transaction.query<Child>(CHILDREN, [node])
