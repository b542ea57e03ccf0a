import { Type } from 'typebox'
import { CODE_HOSTS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { activityRows } from '../parts/activity-rows.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable, oneOf, uuid } from '../parts/fields.ts'
import { CREATABLE_KINDS, type SourceIdentity, sourceUrl } from '../workspace/source-address.ts'

const SOURCES = `
  select id, kind, name, code_host, created_at from sources where deleted_at is null
  order by created_at, id limit $1 offset $2`

const COUNT = `select count(*)::integer as count from sources where deleted_at is null`

interface SourceRow extends SourceIdentity {
  readonly name: string
  readonly created_at: Date
}

interface Heard {
  readonly source_id: string
  readonly last: string
  readonly last_day: number
}

/** What a source sends is an activity of one of these kinds, whatever becomes of it. */
const SENT = `kind IN ('signal.received', 'code_host.event')`

export const connectList = readOperation({
  name: 'list_connections',
  title: 'The connected sources',
  summary:
    'Lists the sources that evidence arrives through, with the address to send to, when something last arrived, and how much in the last 24 hours. Secrets are shown once, in the app, when a source is created; never here.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        id: uuid,
        kind: oneOf(CREATABLE_KINDS),
        name: Type.String(),
        code_host: nullable(oneOf(CODE_HOSTS)),
        url: Type.String({ description: 'Where senders POST to. Treat it like a key.' }),
        created_at: instant,
        last_received_at: nullable(instant),
        received_last_day: Type.Integer(),
      }),
    ),
  }),
  run: async (input, { read, services, caller }) => {
    const position = decodeCursor('connections', input.cursor, services.now())
    const { rows, count } = await read(async transaction => ({
      rows: await transaction.query<SourceRow>(SOURCES, [input.limit ?? DEFAULT_LIMIT, position.offset]),
      count: (await transaction.query<{ count: number }>(COUNT))[0]?.count ?? 0,
    }))
    const heard = await activityRows<Heard>(services.analytics, caller.workspaceId, {
      select: 'source_id, max(occurred_at) AS last, countIf(occurred_at > {since: DateTime64(3)}) AS last_day',
      where: [SENT, 'source_id IN {sources: Array(String)}'],
      groupBy: ['source_id'],
      parameters: {
        since: new Date(services.now().getTime() - 86_400_000),
        sources: rows.map(row => row.id),
      },
    })
    const bySource = new Map(heard.map(row => [row.source_id, row]))
    const items = rows.map(row => ({
      ...row,
      url: sourceUrl(services.baseUrl, row),
      created_at: row.created_at.toISOString(),
      last_received_at: bySource.get(row.id)?.last ?? null,
      received_last_day: bySource.get(row.id)?.last_day ?? 0,
    }))
    return { data: { count, items }, nextCursor: nextCursor('connections', position, items.length, count) }
  },
})
