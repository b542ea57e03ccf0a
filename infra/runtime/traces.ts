import { randomBytes } from '../../schemas/domain/ids.ts'

/** A place in a trace, as W3C Trace Context (https://www.w3.org/TR/trace-context/) has it: lower-case hexadecimal. */
export interface TraceContext {
  /** 32 digits. */
  readonly traceId: string
  /** 16 digits: the span that is the parent of what follows. */
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

/** The beginning of a trace. */
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
 * Reads a `traceparent`; null when it is not valid, for then a new trace begins. Later versions than 00 may carry more
 * at the end.
 */
export const parseTraceparent = (header: string | null | undefined): TraceContext | null => {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

/** The place in a trace that a `traceparent` names, where that trace is recorded; else null. */
export const recordedParent = (header: string | null | undefined): TraceContext | null => {
  const parent = parseTraceparent(header)
  return parent?.sampled === true ? parent : null
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
