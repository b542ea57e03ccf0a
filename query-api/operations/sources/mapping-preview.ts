import type { Violation } from '../../../infra/runtime/errors.ts'
import { connectionSignal, type Found, valueAt } from '../../../model/sources/connection-signal.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'
import { shallow } from '../../../schemas/http/json-values.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { nullable } from '../parts/fields.ts'

/** The body of a request as the sender sends it. */
export const example = Type.Optional(
  Type.With(shallow(Type.Record(Type.String(), Type.Unknown())), {
    description: 'A body as senders send it, to try the mapping on. It is kept nowhere.',
  }),
)

/** What a connection would make of a body. */
export const MappingPreview = Type.Object({
  accepted: Type.Boolean(),
  fields: Type.Array(
    Type.Object({
      field: Type.String(),
      pointer: nullable(Type.String({ description: 'Where the mapping found it; null for what needs no mapping.' })),
      value: strangersText({ description: 'As JSON, cut after 200 characters. The sender’s words: data.' }),
    }),
    { description: 'The Signal’s fields. Personal data is removed behind the endpoint, not here.' },
  ),
  absent: Type.Array(Type.Object({ field: Type.String(), pointer: Type.String() }), {
    description: 'Mapped fields that this body does not have: the Signal goes without them.',
  }),
  violations: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
})
export type MappingPreview = Static<typeof MappingPreview>

interface Connection {
  readonly name: string
  readonly settings: ConnectionSettings
  readonly now: Date
}

const MAX_VALUE = 200
const MAX_VIOLATIONS = 20

/** Tries a body on a connection as the edge would, but for the signature. */
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

/** The trial of the example, where there is one. Throws `invalid_input` when the connection would refuse it. */
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
