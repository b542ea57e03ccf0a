import { listThemes as readThemes } from '../../../model/themes/read-themes.ts'
import { readOperation, Type } from '../define.ts'
import { takeWithinBudget } from '../parts/excerpt.ts'
import { cursor, limit, listDepth } from '../parts/fields.ts'
import { beginningOf, decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ThemeShape, toTheme } from './theme.ts'

const LINE = ['reference', 'name', 'signals', 'languages', 'claims', 'solutions', 'quote'] as const
/** What an overview takes at most, with its envelope no more than 1,200. */
const OVERVIEW_TOKENS = 1_000
const QUOTE_TOKENS = 20

/** A theme in a line, by what most of it says. */
const toLine = ({ reference, name, signals, languages, claims, solutions, quotes }: ThemeShape) => ({
  reference,
  name,
  signals,
  languages: languages.join(' '),
  ...(claims === 0 ? {} : { claims }),
  ...(solutions === 0 ? {} : { solutions }),
  quotes: quotes.slice(0, 1).map(({ text }) => ({ text: beginningOf(text, QUOTE_TOKENS) })),
})

export const listThemes = readOperation({
  name: 'list_themes',
  title: 'Themes of the workspace',
  summary:
    'Lists what many Signals likely speak of, over kinds and languages, the largest first: found from their words and meaning, merged by nobody, and no evidence until a person says so. With depth summary an overview of the workspace in a line each.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ depth: listDepth, limit, cursor }),
  output: Type.Object({
    count: Type.Integer({ description: 'Themes in all.' }),
    items: listOf(ThemeShape, LINE),
  }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor('themes', input.cursor, services.now())
      const { count, themes } = await readThemes(transaction, { ...position, limit: pageSize(input) })
      const isWhole = caller.via.kind === 'app'
      const { items: all, note } = listed(input, themes.map(toTheme), { line: toLine, isWhole })
      const items = input.depth === 'summary' && !isWhole ? takeWithinBudget(all, OVERVIEW_TOKENS) : all
      return { data: { count, items }, note, nextCursor: nextCursor('themes', position, items.length, count) }
    }),
})
