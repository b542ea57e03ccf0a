import { randomBytes } from '../../schemas/domain/ids.ts'

/** A place in a trace by W3C Trace Context (https://www.w3.org/TR/trace-context/), in lower-case hexadecimal. */
export interface TraceContext {
  /** 32 digits. */
  readonly traceId: string
  /** 16 digits: the parent span of what follows. */
  readonly spanId: string
  readonly sampled: boolean
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const SAMPLED = 1
const isZero = (id: string): boolean => /^0+$/.test(id)

const randomId = (bytes: number): string => {
  const random = randomBytes(bytes)
  return Buffer.from(random.buffer, random.byteOffset, bytes).toString('hex')
}

/** Starts a trace. */
export const newTrace = (): TraceContext => {
  const both = randomId(24)
  return { traceId: both.slice(0, 32), spanId: both.slice(32), sampled: true }
}

/** A new span in the same trace. */
export const childOf = ({ traceId, sampled }: TraceContext): TraceContext => ({
  traceId,
  spanId: randomId(8),
  sampled,
})

/**
 * Parses a `traceparent`; null when it is invalid, and a new trace begins then. Versions above 00 may have more fields
 * at the end.
 */
export const parseTraceparent = (header: string | null | undefined): TraceContext | null => {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** The parent that a `traceparent` names when its trace is sampled, else null. */
export const recordedParent = (header: string | null | undefined): TraceContext | null => {
  const parent = parseTraceparent(header)
  return parent?.sampled === true ? parent : null
}

/** The `traceparent` header of version 00. */
export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
