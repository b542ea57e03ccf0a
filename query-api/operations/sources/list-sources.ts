import { OFFERS } from '../../../model/sources/kinds/index.ts'
import { countSources, type NamedSource, namedSources, readSources } from '../../../model/sources/sources.ts'
import { fits } from '../../../schemas/domain/fits.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, limit, listDepth } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { LastDay, lastDayOf, SourceShape, toSource } from './source.ts'

const LINE = [
  'id',
  'kind',
  'name',
  'last_seen_at',
  'accepted_last_day',
  'refused_last_day',
  'paused_at',
  'previous_secret_valid_until',
] as const

export const listSources = readOperation({
  name: 'list_sources',
  title: 'The connected sources',
  summary:
    'Lists the sources that evidence arrives through: where to send to, when something last came, and how much was accepted and refused in the last 24 hours, with the reasons. Secrets are shown once, when a source is created or its secret rotated; never here.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  omittedFields: ['text'],
  input: Type.Object({
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          'Words of its name or of its kind, such as github or mail, with beginnings and a typing error; or its id.',
      }),
    ),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    items: listOf(Type.Intersect([SourceShape, LastDay]), LINE),
  }),
  run: async (input, { read, services, caller }) => {
    const now = services.now()
    const position = decodeCursor('sources', input.cursor, now)
    const { text } = input
    const { rows, count } = await read(async transaction => {
      const ids =
        text === undefined ? null : (await namedSources(transaction)).filter(fitting(text)).map(({ id }) => id)
      const [rows, count] = await Promise.all([
        readSources(transaction, { limit: pageSize(input), offset: position.offset, ids }),
        ids?.length ?? countSources(transaction),
      ])
      return { rows, count }
    })
    const lastDay = await lastDayOf(services.analytics, caller.workspaceId, { sources: rows.map(({ id }) => id), now })
    const all = rows.map(row => ({ ...toSource(services, row), ...lastDay(row.id) }))
    const { items, note } = listed(input, all, { line: LINE })
    return { data: { count, items }, note, nextCursor: nextCursor('sources', position, items.length, count) }
  },
})

/** True for a source that matches the typed words by its name or kind, or by its id. */
const fitting =
  (text: string) =>
  ({ id, name, kind, code_host }: NamedSource): boolean => {
    const offer = OFFERS.find(each => each.kind === kind && each.code_host === code_host)
    return id === text || fits(`${name} ${kind} ${offer?.title}`, text)
  }
