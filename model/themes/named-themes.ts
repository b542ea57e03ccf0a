import type { Transaction } from '../../infra/postgres/port.ts'
import { fits } from '../../schemas/domain/fits.ts'
import type { ThemeId } from '../../schemas/domain/ids.ts'

interface NamedTheme {
  readonly id: ThemeId
  readonly number: number
  readonly name: string
}

/** Names that are compared; a workspace has some hundreds. */
const MAX_NAMES = 5_000

// A theme that a person joined to another is found as that one. Hidden ones are found, too: whoever types a name wants
// it.
const NAMES = `
  select themes.id, themes.number, coalesce(theme_settings.name, themes.name) as name
  from themes left join theme_settings on theme_id = themes.id
  where themes.workspace_id = $1 and ended_at is null and part_of_id is null
  order by themes.number desc limit ${MAX_NAMES}`

/** Present themes whose name fits what somebody typed, with the beginnings of its words and a typing error. */
export const themesNamed = async (
  transaction: Transaction,
  workspaceId: string,
  typed: string,
  most: number,
): Promise<readonly NamedTheme[]> =>
  (await transaction.query<NamedTheme>(NAMES, [workspaceId])).filter(({ name }) => fits(name, typed)).slice(0, most)
