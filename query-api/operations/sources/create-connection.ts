import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { Type, writeOperation } from '../define.ts'
import { nullable } from '../parts/fields.ts'
import { CreatedSource, makeSource } from './created-source.ts'
import { example, MappingPreview, requireAccepted } from './mapping-preview.ts'

export const createConnection = writeOperation({
  name: 'create_connection',
  title: 'Connect a source',
  summary:
    'Creates an address for something that sends Standard Webhooks, and the secret that it signs with, shown in this answer only: put it where that sender reads it, never into a text or a repository. settings.mapping says where a signal’s fields are in what it sends; with an example it is tried first, and nothing is created when it fails. Other kinds of sources are for people, in the app under Settings → Sources: service_connect mode find says which.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 120,
      pattern: '\\S',
      description: 'The name. What people will know it by.',
    }),
    settings: Type.Optional(ConnectionSettings),
    example,
  }),
  hints: {
    kind: 'this makes connections only; service_connect mode find says how and by whom another kind is connected',
  },
  output: Type.Object({ ...CreatedSource.properties, mapping_preview: nullable(MappingPreview) }),
  apply: async ({ name, settings = {}, example: body }, transaction, context) => {
    const mapping_preview = requireAccepted(body, { name: name.trim(), settings, now: context.services.now() })
    const wanted = { kind: 'connection', name, codeHost: null, settings } as const
    const { data, ...answer } = await makeSource(transaction, context, wanted)
    return { ...answer, data: { ...data, mapping_preview } }
  },
})
