import { Type } from 'typebox'
import { CODE_HOSTS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { CREATABLE_KINDS, type SourceIdentity, sourceUrl } from './source-address.ts'

interface Row extends SourceIdentity {
  readonly name: string
  readonly created_at: Date
}

const SELECT = `
  select id, kind, name, code_host, created_at
  from sources
  where workspace_id = $1 and deleted_at is null
  order by created_at, id`

export const listSources = readOperation({
  name: 'list_sources',
  title: 'List sources',
  summary: 'Lists the addresses that senders post to. Secrets cannot be shown again.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        kind: Type.Enum(CREATABLE_KINDS),
        name: Type.String(),
        code_host: Type.Union([Type.Enum(CODE_HOSTS), Type.Null()]),
        url: Type.String(),
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  run: async (_input, { caller, services, read }) => {
    const rows = await read(transaction => transaction.query<Row>(SELECT, [caller.workspaceId]))
    const items = rows.map(row => ({
      ...row,
      url: sourceUrl(services.baseUrl, row),
      created_at: row.created_at.toISOString(),
    }))
    return { data: { items } }
  },
})
