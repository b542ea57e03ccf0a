import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type SignalId, type ThemeId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { saveAnswers } from './answers.ts'
import { nameOf, rarityOf, tellingWords } from './names.ts'
import { membersIn } from './read-themes.ts'

// A part belongs to one whole, which is no part itself: themes that were joined to a part are joined to the whole.
const JOIN = `
  insert into theme_settings (theme_id, workspace_id, standing, part_of_id)
  select id, $1, 'listed', $2 from themes
  where id = any ($3::uuid[]) or id in (select theme_id from theme_settings where part_of_id = any ($3::uuid[]))
  order by id
  on conflict (theme_id) do update set part_of_id = excluded.part_of_id
    where theme_settings.part_of_id is distinct from excluded.part_of_id
  returning theme_id`

/**
 * Joins themes to another one: their members and answers count for it from now on, in every computation. Answers the
 * number of newly joined themes.
 */
export const joinThemes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  whole: ThemeId,
  parts: readonly ThemeId[],
): Promise<number> => (await transaction.query(JOIN, [workspaceId, whole, parts])).length

const TAKE_APART = `
  update theme_settings set part_of_id = null where part_of_id = $1 and theme_id = any ($2::uuid[]) returning theme_id`

/** Separates joined themes. Answers their number. */
export const takeThemesApart = async (
  transaction: Transaction,
  whole: ThemeId,
  parts: readonly string[],
): Promise<number> => (await transaction.query(TAKE_APART, [whole, parts])).length

interface Split {
  readonly theme: ThemeId
  /** Signals of the new theme. */
  readonly signalIds: readonly SignalId[]
  readonly at: Date
}

export interface NewPart {
  readonly id: ThemeId
  readonly number: number
  readonly name: string
}

const MEMBERS = `select signal_id, left(text, 500) as text from (${membersIn('$1')}) as member where theme_id = $1 order by number`
const INSERT = `
  insert into themes (id, workspace_id, number, name, split_from_id, found_at, changed_at)
  values ($2, $1, $3, $4, $5, $6, $6)`

/**
 * Splits some signals off a theme. They are confirmed for the new theme and refused for the old one; the others are
 * refused for the new one, so that neither takes the other's signals back. Null when the signals are not members, or
 * are all members.
 */
export const splitTheme = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { theme, signalIds, at }: Split,
): Promise<NewPart | null> => {
  const members = await transaction.query<{ signal_id: SignalId; text: string }>(MEMBERS, [theme])
  const taken = new Set(signalIds)
  const own = members.filter(({ signal_id }) => taken.has(signal_id))
  const rest = members.filter(({ signal_id }) => !taken.has(signal_id))
  const [first] = own
  if (first === undefined || own.length < taken.size || rest.length === 0) return null
  const texts = own.map(({ text }) => text)
  const telling = tellingWords(texts, rarityOf(members.map(({ text }) => text)))
  const name = nameOf(texts, telling, () => false) ?? first.text.slice(0, MAX_NAME)
  const id = newId<ThemeId>()
  const [number = 0] = await nextNumbers(transaction, 'theme', [workspaceId])
  await transaction.query(INSERT, [workspaceId, id, number, name, theme, at])
  const moved = own.map(({ signal_id }) => signal_id)
  const kept = rest.map(({ signal_id }) => signal_id)
  const said = { decisionId: null, at }
  await saveAnswers(transaction, workspaceId, { ...said, themeId: id, confirmed: moved, refused: kept })
  await saveAnswers(transaction, workspaceId, { ...said, themeId: theme, confirmed: [], refused: moved })
  return { id, number, name }
}

const MAX_NAME = 80
