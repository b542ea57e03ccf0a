import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { SignalBody } from './signal.ts'

/** A JSON pointer (RFC 6901) into the body of a connection's request; the empty pointer is the whole body. */
const Pointer = Type.String({
  maxLength: 500,
  pattern: '^(/([^~/]|~[01])*)*$',
  description: 'JSON pointer into the body, such as /data/message/text.',
})

const Mapping = Type.Object(
  {
    text: Pointer,
    source: Type.Optional(Pointer),
    source_url: Type.Optional(Pointer),
    occurred_at: Type.Optional(Pointer),
    actor_name: Type.Optional(Pointer),
    actor_email: Type.Optional(Pointer),
    signal_origin: Type.Optional(Pointer),
    actor_role: Type.Optional(Pointer),
    metadata: Type.Optional(Pointer),
    event: Type.Optional(Pointer),
  },
  {
    additionalProperties: false,
    description: 'The mapping. Where a signal’s fields are in the body. Without it `data` is a signal.',
  },
)

/** The settings of a source of kind `connection` besides its secret: `sources.settings`. */
export const ConnectionSettings = Type.Object({ mapping: Type.Optional(Mapping) }, { additionalProperties: false })
export type ConnectionSettings = Static<typeof ConnectionSettings>
export type ConnectionMapping = Static<typeof Mapping>

/** The fields of a signal that a mapping can fill. */
export const MAPPED_SIGNAL_FIELDS = Object.keys(Mapping.properties)

export const connectionSettings = Compile(ConnectionSettings)

/** ISO 8601, epoch seconds or epoch milliseconds; see `time.ts`. */
const Time = Type.Unsafe<string | number>({ type: ['string', 'number'] })

/**
 * The body of a connection's request without a mapping: `data` is a signal body. Without a time in the body, the time
 * of Standard Webhooks' header counts.
 */
export const ConnectionBody = Type.Object({
  type: Type.Optional(Type.String()),
  timestamp: Type.Optional(Time),
  data: SignalBody,
})
export const connectionBody = Compile(ConnectionBody)
/** The body of a connection's request with a mapping: any object. */
export const anyObject = Compile(Type.Object({}))
