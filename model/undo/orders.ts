import type { Transaction } from '../../infra/postgres/port.ts'
import { withItemAt } from '../with-item-at.ts'
import type { NetRow } from './changed-rows.ts'
import { KEPT_TABLES, type KeptTable, keptTable, PLACE } from './kept-tables.ts'

const placesOf = (row: NetRow): readonly [before: number, after: number] => [
  Number(row.before?.[PLACE] ?? 0),
  Number(row.after?.[PLACE] ?? 0),
]

const distance = (row: NetRow): number => {
  const [before, after] = placesOf(row)
  return Math.abs(before - after)
}

/**
 * The rows that a change put somewhere else; the others moved up or back for them. In an order from which nothing came or went, that is the
 * one that moved furthest: of two neighbours that changed places it is either.
 */
const putElsewhere = (rows: readonly NetRow[], of: string): readonly NetRow[] => {
  const moved = rows.filter(({ before, after }) => before === null || after === null || of in before)
  if (moved.length > 0) return moved.filter(({ before }) => before !== null)
  const [furthest] = rows.toSorted((one, other) => distance(other) - distance(one))
  return furthest === undefined || distance(furthest) === 0 ? [] : [furthest]
}

/** Puts what was moved where it stood before, among what stands there now, and numbers each order from 1. */
export const closeOrders = async (transaction: Transaction, net: readonly NetRow[]): Promise<void> => {
  for (const table of Object.keys(KEPT_TABLES) as KeptTable[]) {
    const { order } = keptTable(table)
    const rows = net.filter(row => row.table === table)
    if (order === undefined || rows.length === 0) continue
    const { of, id } = order
    const back = putElsewhere(rows, of).toSorted((one, other) => placesOf(one)[0] - placesOf(other)[0])
    const standing = await transaction.query<{ id: string; of: string }>(
      `select ${id} as id, ${of} as of from ${table} order by ${PLACE}, ${id}`,
    )
    for (const [, members] of Map.groupBy(standing, row => row.of)) {
      let ids: readonly string[] = members.map(row => row.id)
      for (const row of back) {
        const moved = String(row.key[id])
        if (ids.includes(moved)) ids = withItemAt(ids, moved, placesOf(row)[0])
      }
      await transaction.query(
        `update ${table} as kept set ${PLACE} = placed.position
         from unnest($1::uuid[]) with ordinality as placed (id, position)
         where kept.${id} = placed.id and kept.${PLACE} <> placed.position`,
        [ids],
      )
    }
  }
}
