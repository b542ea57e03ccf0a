import type { Transaction } from '../../infra/postgres/port.ts'
import { saveAnswers } from '../../model/themes/answers.ts'
import { likelyMembers } from '../../model/themes/likely.ts'
import { listThemes, membersOfTheme, type ThemeRow } from '../../model/themes/read-themes.ts'
import { saveSettings } from '../../model/themes/settings.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Pipeline } from './pipeline.ts'

/** So many members are looked at on a page, beside those that are offered; and so many themes of a list. */
const MEMBERS_A_PAGE = 20
const THEMES_A_PAGE = 100
const MAX_MEMBERS = 500
/** Fewer of what a page shows are no theme. */
const LEAST_OF_ONE = 2
/** They look at ids alone, so where a quote begins is all the same. */
const NONE_SHARED = new Set<number>()

/**
 * A person who never errs, and answers one page after the other: which of the first members, and of those that are
 * offered, belong. They stay at a theme until a page has none that does, then take the largest that they have not been
 * at. A page on which no two belong to a theme that they have not met is not one thing.
 */
export const createPerson = (
  { database, neighbours, embedder }: Pipeline,
  workspaceId: WorkspaceId,
  themesOf: (id: SignalId) => readonly string[],
) => {
  /** What each theme is that they confirmed signals of. */
  const meant = new Map<ThemeId, string>()
  const done = new Set<ThemeId>()
  let at: ThemeId | null = null
  let answers = 0
  const inside = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.transaction({ role: 'assay_app', workspaceId }, work)

  const nextTheme = async (): Promise<ThemeId | null> => {
    const page = { limit: THEMES_A_PAGE, offset: 0, at: new Date(), aside: false, shared: NONE_SHARED }
    const { themes } = await inside(transaction => listThemes(transaction, page))
    return themes.find(({ id }: ThemeRow) => !done.has(id))?.id ?? null
  }
  const shownOf = (themeId: ThemeId): Promise<readonly SignalId[]> =>
    inside(async transaction => {
      const members = await membersOfTheme(transaction, themeId, { limit: MAX_MEMBERS, offset: 0, shared: NONE_SHARED })
      const open = members.filter(({ is_confirmed }) => !is_confirmed).slice(0, MEMBERS_A_PAGE)
      const likely = await likelyMembers(transaction, neighbours, { workspaceId, themeId, model: embedder.model })
      return [...open, ...likely].map(({ signal_id }) => signal_id)
    })
  /** The theme that most of a page belong to, if they have not met it. */
  const meaningOf = (shown: readonly SignalId[]): string | undefined => {
    const known = new Set(meant.values())
    const counts = Map.groupBy(
      shown.flatMap(themesOf).filter(theme => !known.has(theme)),
      theme => theme,
    )
    const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)
    return most !== undefined && most[1].length >= LEAST_OF_ONE ? most[0] : undefined
  }

  /** Answers one page; whether the theme may have more. */
  const answerPage = async (themeId: ThemeId): Promise<boolean> => {
    const shown = await shownOf(themeId)
    const theme = meant.get(themeId) ?? meaningOf(shown)
    if (theme === undefined) {
      await inside(transaction =>
        saveSettings(transaction, workspaceId, themeId, { name: null, standing: 'not_one_thing' }),
      )
      return false
    }
    meant.set(themeId, theme)
    const confirmed = shown.filter(id => themesOf(id).includes(theme))
    const refused = shown.filter(id => !confirmed.includes(id))
    const given = { themeId, confirmed, refused, decisionId: null, at: new Date() }
    await inside(transaction => saveAnswers(transaction, workspaceId, given))
    return confirmed.length > 0
  }

  return {
    get answers() {
      return answers
    },
    /** Goes on until so many pages are answered or nothing is left; themes are found anew before each that is new. */
    answer: async (most: number, findAnew: () => Promise<unknown>): Promise<void> => {
      while (answers < most) {
        if (at === null) await findAnew()
        at ??= await nextTheme()
        if (at === null) return
        answers += 1
        if (await answerPage(at)) continue
        done.add(at)
        at = null
      }
    },
  }
}
