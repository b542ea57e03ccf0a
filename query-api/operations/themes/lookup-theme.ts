import { resolveOne } from '../../../model/references/resolve.ts'
import { membersOfTheme, readTheme } from '../../../model/themes/read-themes.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
import { estimateTokens } from '../parts/excerpt.ts'
import { cursor, depth, identifier, limit } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ThemeMember, ThemeShape, toMember, toTheme } from './theme.ts'

const LINE = ['reference', 'text', 'classification', 'claim', 'is_doubtful'] as const

export const lookupTheme = readOperation({
  name: 'lookup_theme',
  title: 'A theme with its Signals',
  summary:
    'Answers one theme by UUID, reference (THM-2) or exact name, with its Signals, the surest first and the doubtful at the end, each by the sentence that tells most of it. A theme is a view: what it has in it is likely one thing, and no evidence until a person says so. The reference of a theme that is found no more answers the one that most of its Signals are in now.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, limit, cursor }),
  output: Type.Object({
    ...ThemeShape.properties,
    count: Type.Integer({ description: 'Its Signals, dismissed ones left out.' }),
    items: listOf(ThemeMember, LINE),
  }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const { id } = await resolveOne(transaction, 'theme', input.id)
      const name = `theme ${id}`
      const position = decodeCursor(name, input.cursor, services.now())
      const theme = toTheme((await readTheme(transaction, id, position.at)) ?? throwDeleted('theme'))
      const members = await membersOfTheme(transaction, id, { ...position, limit: pageSize(input) })
      const isWhole = caller.via.kind === 'app'
      const { items, note } = listed(input, members.map(toMember), {
        line: LINE,
        beside: estimateTokens(theme),
        isWhole,
      })
      return {
        data: { ...theme, count: theme.signals, items },
        note,
        nextCursor: nextCursor(name, position, items.length, theme.signals),
      }
    }),
})
