import type { Transaction } from '../../infra/postgres/port.ts'

const TITLES = {
  claim: ['claims', 'title'],
  node: ['map_nodes', 'name'],
  theme: [
    'themes left join theme_settings on theme_settings.theme_id = themes.id',
    'coalesce(theme_settings.name, themes.name)',
  ],
} as const

/** Ids of objects whose title contains one of the parts, in any letter case; at most `limit`. */
export const idsTitled = async (
  transaction: Transaction,
  kind: keyof typeof TITLES,
  parts: readonly string[],
  limit: number,
): Promise<readonly string[]> => {
  const [table, title] = TITLES[kind]
  // `strpos` instead of `like`, because a part may contain wildcards.
  const rows = await transaction.query<{ readonly id: string }>(
    `select id from ${table}
     where exists (select from unnest($1::text[]) as part where strpos(lower(${title}), lower(part)) > 0) limit $2`,
    [parts, limit],
  )
  return rows.map(({ id }) => id)
}
