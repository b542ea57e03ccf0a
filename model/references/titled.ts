import type { Transaction } from '../../infra/postgres/port.ts'

const TITLES = { claim: ['claims', 'title'], node: ['map_nodes', 'name'] } as const

/** The ids of what has one of the parts in its title, in any letter case; at most `limit`. */
export const idsTitled = async (
  transaction: Transaction,
  kind: keyof typeof TITLES,
  parts: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const [table, title] = TITLES[kind]
  // `strpos` and not `like`: a part may have signs that mean something there.
  const rows = await transaction.query<{ readonly id: string }>(
    `select id from ${table}
     where exists (select from unnest($1::text[]) as part where strpos(lower(${title}), lower(part)) > 0) limit $2`,
    [parts, limit],
  )
  return rows.map(({ id }) => id)
}
