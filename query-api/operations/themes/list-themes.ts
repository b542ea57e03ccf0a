import { resolveOne } from '../../../model/references/resolve.ts'
import { listThemes as readThemes } from '../../../model/themes/read-themes.ts'
import { readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { readOperation, Type } from '../define.ts'
import { takeWithinBudget } from '../parts/excerpt.ts'
import { cursor, identifier, limit, listDepth } from '../parts/fields.ts'
import { beginningOf, decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { readerLanguage, ThemeShape, toTheme } from './theme.ts'

const LINE = ['reference', 'name', 'signals', 'languages', 'customers', 'claims', 'solutions', 'quote'] as const
/** Tokens of an overview; with its envelope at most 1,200. */
const OVERVIEW_TOKENS = 1_000
const QUOTE_TOKENS = 20

/** A theme as a line, named by the words of most of its signals. */
const toLine = ({ reference, name, signals, languages, customers, claims, solutions, quotes }: ThemeShape) => ({
  reference,
  name,
  signals,
  languages: languages.join(' '),
  ...(customers === 0 ? {} : { customers }),
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
  omittedFields: ['aside', 'alike', 'reader_language'],
  input: Type.Object({
    aside: Type.Optional(
      Type.Boolean({ description: 'Lists those that people hid or said to be not one thing, instead of the others.' }),
    ),
    alike: Type.Optional(
      Type.With(identifier, { description: 'Lists the likest to this theme first, which is itself.' }),
    ),
    reader_language: readerLanguage,
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer({ description: 'Themes in all; of those put aside with aside.' }),
    put_aside: Type.Integer({ description: 'Themes that people hid or said to be not one thing.' }),
    items: listOf(ThemeShape, LINE),
  }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const name = input.aside ? 'themes put aside' : 'themes'
      const position = decodeCursor(name, input.cursor, services.now())
      const isAside = input.aside ?? false
      const alike = input.alike === undefined ? undefined : (await resolveOne(transaction, 'theme', input.alike)).id
      const shared = await readSharedPassages(transaction, caller.workspaceId)
      const page = {
        ...position,
        limit: pageSize(input),
        aside: isAside,
        shared,
        language: input.reader_language,
        ...(alike !== undefined && { alike }),
      }
      const { themes, ...counts } = await readThemes(transaction, page)
      const count = isAside ? counts.aside : counts.listed
      const isWhole = caller.via.kind === 'app'
      const { items: all, note } = listed(input, themes.map(toTheme), { line: toLine, isWhole })
      const items = input.depth === 'summary' && !isWhole ? takeWithinBudget(all, OVERVIEW_TOKENS) : all
      return {
        data: { count, put_aside: counts.aside, items },
        note,
        nextCursor: nextCursor(name, position, items.length, count),
      }
    }),
})
