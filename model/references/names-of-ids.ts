import type { Transaction } from '../../infra/postgres/port.ts'

const NAMES = `
  select id, number, title from claims where id = any ($1::uuid[])
  union all
  select id, null, name from map_nodes where id = any ($2::uuid[])`

interface Name {
  readonly id: string
  /** A claim's; null of a node. */
  readonly number: number | null
  readonly title: string
}

/** What claims and nodes are called, by their ids; what is gone has no entry. */
export const namesOfIds = async (
  transaction: Transaction,
  { claims, nodes }: { readonly claims: readonly string[]; readonly nodes: readonly string[] },
): Promise<ReadonlyMap<string, Name>> =>
  new Map((await transaction.query<Name>(NAMES, [claims, nodes])).map(name => [name.id, name]))
