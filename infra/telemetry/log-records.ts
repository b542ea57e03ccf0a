import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { type AnyValueMap, type Logger, SeverityNumber } from '@opentelemetry/api-logs'
import type { DestinationStream } from 'pino'
import type { LogLevel } from '../runtime/logger.ts'
import type { TraceContext } from '../runtime/traces.ts'

const SEVERITIES: Readonly<Record<Exclude<LogLevel, 'silent'>, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
}

/** A place in a trace as OpenTelemetry has it. */
export const contextOf = ({ traceId, spanId, sampled }: TraceContext) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true })

interface Line extends AnyValueMap {
  readonly level: keyof typeof SEVERITIES
  readonly time: string
  readonly msg?: string
  readonly trace_id?: string
  readonly span_id?: string
}

/** Sends each line of the log as a record: what was redacted in it stays so. */
export const createLogRecords = (records: Logger): DestinationStream => ({
  write: text => {
    // The log writes nothing but such lines.
    const { level, time, msg = '', trace_id, span_id, ...attributes } = JSON.parse(text) as Line
    records.emit({
      severityNumber: SEVERITIES[level],
      severityText: level,
      timestamp: new Date(time),
      body: msg,
      attributes,
      ...(trace_id === undefined || span_id === undefined
        ? {}
        : { context: contextOf({ traceId: trace_id, spanId: span_id, sampled: true }) }),
    })
  },
})
