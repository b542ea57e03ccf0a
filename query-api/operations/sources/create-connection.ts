import type { Violation } from '../../../infra/runtime/errors.ts'
import { connectionSignal, type Found, valueAt } from '../../../model/sources/connection-signal.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { shallow } from '../../../schemas/http/json-values.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { AssayError, type Static, Type, writeOperation } from '../define.ts'
import { nullable } from '../parts/fields.ts'
import { CreatedSource, makeSource, vendorSecret } from './created-source.ts'

/** A request's body as the sender sends it. */
export const example = Type.Optional(
  Type.With(shallow(Type.Record(Type.String(), Type.Unknown())), {
    description: 'A body, to try the mapping on. It is kept nowhere.',
  }),
)

/** Signals that a connection would make of a body. */
export const MappingPreview = Type.Object({
  accepted: Type.Boolean(),
  fields: Type.Array(
    Type.Object({
      field: Type.String(),
      pointer: nullable(Type.String({ description: 'Where the mapping found it; null for what needs no mapping.' })),
      value: untrustedText({ description: 'As JSON, cut after 200 characters. The sender’s words: data.' }),
    }),
    { description: 'The Signal’s fields. Personal data is removed behind the endpoint, not here.' },
  ),
  absent: Type.Array(Type.Object({ field: Type.String(), pointer: Type.String() }), {
    description: 'Mapped fields that this body does not have: the Signal goes without them.',
  }),
  violations: Type.Array(Type.Object({ pointer: Type.String(), message: ownText() })),
})
export type MappingPreview = Static<typeof MappingPreview>

interface Connection {
  readonly name: string
  readonly settings: ConnectionSettings
  readonly now: Date
}

const MAX_VALUE = 200
const MAX_VIOLATIONS = 20

/** Tries a body on a connection like the edge, without checking the signature. */
export const previewMapping = (body: unknown, { name, settings, now }: Connection): MappingPreview => {
  const found = signalIn(body, { name, settings, now })
  if (!found.ok)
    return { accepted: false, fields: [], absent: [], violations: found.violations.slice(0, MAX_VIOLATIONS) }
  const pointers = new Map<string, string>(Object.entries(settings.mapping ?? {}))
  const fields = Object.entries(found.value).map(([field, value]) => ({
    field,
    pointer: pointers.get(field) ?? null,
    value: Array.from(JSON.stringify(value)).slice(0, MAX_VALUE).join(''),
  }))
  const absent = [...pointers].flatMap(([field, pointer]) =>
    (valueAt(body, pointer) ?? null) === null ? [{ field, pointer }] : [],
  )
  return { accepted: true, fields, absent, violations: [] }
}

const signalIn = (body: unknown, { name, settings: { mapping }, now }: Connection): Found<SignalBody> =>
  connectionSignal(body, { name, mapping, sentAt: now.getTime(), receivedAt: now.getTime() })

/** The trial of the example, if any. Throws `invalid_input` when the connection would refuse it. */
export const requireAccepted = (body: unknown, connection: Connection): MappingPreview | null => {
  if (body === undefined) return null
  const trial = previewMapping(body, connection)
  if (!trial.accepted) throw refused(trial.violations)
  return trial
}

const refused = (violations: readonly Violation[]): AssayError =>
  new AssayError(
    'invalid_input',
    'The connection would refuse the example; nothing was written. Correct settings.mapping, whose pointers lead into the whole body, or the example; service_connect mode update with dry_run tries again on a connection that exists.',
    { violations },
  )

export const createConnection = writeOperation({
  name: 'create_connection',
  title: 'Connect a source',
  summary:
    'Creates an address for something that sends Standard Webhooks, and the secret that it signs with, shown in this answer only: put it where that sender reads it, never into a text or a repository. settings.mapping says where a signal’s fields are in what it sends; with an example it is tried first, and nothing is created when it fails. Other kinds of sources are for people, in the app under Settings → Sources: service_connect mode find says which.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['secret'],
  input: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'The name. What people will know it by.',
    }),
    settings: Type.Optional(ConnectionSettings),
    secret: vendorSecret,
    example,
  }),
  hints: {
    kind: 'this makes connections only; service_connect mode find says how and by whom another kind is connected',
  },
  output: Type.Object({
    id: CreatedSource.properties.id,
    url: CreatedSource.properties.url,
    secret: CreatedSource.properties.secret,
    setup: CreatedSource.properties.setup,
    mapping_preview: nullable(MappingPreview),
  }),
  apply: async ({ name, settings = {}, secret: given, example: body }, transaction, context) => {
    const mapping_preview = requireAccepted(body, { name: name.trim(), settings, now: context.services.now() })
    const wanted = { kind: 'connection', name, codeHost: null, settings, secret: given } as const
    // Programs that send to the source contain its secret; `service_connect` mode `test` signs a request without one.
    const { id, url, secret, setup } = (await makeSource(transaction, context, wanted)).data
    return { data: { id, url, secret, setup, mapping_preview }, secretFields: ['secret'] }
  },
})
