import type { Transaction } from '../../infra/postgres/port.ts'
import type { ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ThemeStanding } from '../../schemas/domain/vocabulary.ts'

export interface ThemeSettings {
  /** Null: the computed name. */
  readonly name: string | null
  readonly standing: ThemeStanding
}

export interface SettledTheme extends ThemeSettings {
  readonly id: ThemeId
  readonly number: number
  readonly found_name: string
}

const READ = `
  select id, number, themes.name as found_name, theme_settings.name, coalesce(standing, 'listed') as standing
  from themes left join theme_settings on theme_id = id where id = $1`

/** A theme with the settings that a person gave it. */
export const readSettings = async (transaction: Transaction, id: string): Promise<SettledTheme | undefined> =>
  (await transaction.query<SettledTheme>(READ, [id]))[0]

const NAMES = `
  select id, number, coalesce(theme_settings.name, themes.name) as name
  from themes left join theme_settings on theme_id = id where id = any ($1::uuid[])`

interface NamedTheme {
  readonly id: string
  readonly number: number
  readonly name: string
}

/** What themes are called, by id. */
export const themeNames = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedTheme>> =>
  new Map((await transaction.query<NamedTheme>(NAMES, [ids])).map(theme => [theme.id, theme]))

const SAVE = `
  insert into theme_settings (theme_id, workspace_id, name, standing) values ($2, $1, $3, $4)
  on conflict (theme_id) do update set name = excluded.name, standing = excluded.standing`

export const saveSettings = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: ThemeId,
  { name, standing }: ThemeSettings,
): Promise<void> => {
  await transaction.query(SAVE, [workspaceId, id, name, standing])
}
