import { resolveOne } from '../../../model/references/resolve.ts'
import { likelyMembers } from '../../../model/themes/likely.ts'
import { membersOfTheme, readTheme } from '../../../model/themes/read-themes.ts'
import { readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
import { estimateTokens } from '../parts/excerpt.ts'
import { cursor, depth, identifier, limit } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { WAIT_MS } from '../parts/words.ts'
import { MEMBER_LINE, readerLanguage, ThemeMember, ThemeShape, toMember, toTheme } from './theme.ts'

export const lookupTheme = readOperation({
  name: 'lookup_theme',
  title: 'A theme with its Signals',
  summary:
    'Answers one theme by UUID, reference (THM-2) or exact name, with its Signals, those that a person confirmed first, then the surest, the doubtful at the end, each by the sentence that tells most of it. A theme is a view: what it has in it is likely one thing, and no evidence until a person says so. The reference of a theme that is found no more answers the one that most of its Signals are in now.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  omittedFields: ['candidates', 'reader_language'],
  input: Type.Object({
    id: identifier,
    candidates: Type.Optional(
      Type.Boolean({
        description:
          'Answers, instead of its Signals, 30 of the whole workspace that likely belong to it, too, the surest first: by what people confirmed and refused until now. update_theme says of each whether it does.',
      }),
    ),
    reader_language: readerLanguage,
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({
    ...ThemeShape.properties,
    count: Type.Integer({ description: 'Its Signals, dismissed ones left out; with candidates how many are offered.' }),
    items: listOf(ThemeMember, MEMBER_LINE),
  }),
  run: async (input, { caller, read, services }) => {
    const { neighbours, embedder } = services
    const space = { workspaceId: caller.workspaceId, model: embedder.model }
    if (input.candidates) await neighbours.fill(read, space, WAIT_MS)
    return read(async transaction => {
      const { id } = await resolveOne(transaction, 'theme', input.id)
      const name = `theme ${id}`
      const position = decodeCursor(name, input.cursor, services.now())
      const shared = await readSharedPassages(transaction, caller.workspaceId)
      const reading = { at: position.at, shared, language: input.reader_language }
      const row = (await readTheme(transaction, id, reading)) ?? throwDeleted('theme')
      const theme = toTheme(row)
      const members = input.candidates
        ? await likelyMembers(transaction, neighbours, { ...space, themeId: row.id })
        : await membersOfTheme(transaction, id, { ...position, limit: pageSize(input), shared })
      const count = input.candidates ? members.length : theme.signals
      const isWhole = caller.via.kind === 'app'
      const { items, note } = listed(input, members.map(toMember), {
        line: MEMBER_LINE,
        beside: estimateTokens(theme),
        isWhole,
      })
      return {
        data: { ...theme, count, items },
        note,
        nextCursor: input.candidates ? null : nextCursor(name, position, items.length, count),
      }
    })
  },
})
