import { type DiagLogger, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type AnyValueMap, type Logger, SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { DestinationStream } from 'pino'
import type { Registry } from 'prom-client'
import type { LogLevel } from '../runtime/logger.ts'
import { readProductVersion } from '../runtime/product-version.ts'
import type { TraceContext } from '../runtime/traces.ts'
import type { TelemetrySettings } from './config.ts'
import { metricsOf } from './prometheus-metrics.ts'
import type { Tracer } from './spans.ts'

const SEVERITIES: Readonly<Record<Exclude<LogLevel, 'silent'>, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
}

/** A place in a trace, in OpenTelemetry's form. */
const contextOf = ({ traceId, spanId, sampled }: TraceContext) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: sampled ? 1 : 0, isRemote: true })

interface Line extends AnyValueMap {
  readonly level: keyof typeof SEVERITIES
  readonly time: string
  readonly msg?: string
  readonly trace_id?: string
  readonly span_id?: string
}

/** Sends each log line as a record. Redacted fields stay redacted. */
const createLogRecords = (records: Logger): DestinationStream => ({
  write: text => {
    // The log writes only such lines.
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

/** Loaded only when something is sent: these packages take time and memory. */

interface Exports {
  readonly tracer: Tracer | null
  readonly log: DestinationStream | null
  stop(): Promise<void>
}

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const

/** At most once a minute, and to the output, since the collector is what fails. */
const SAID_EVERY_MS = 60_000

/** The packages report an error as JSON with its stack. */
const reasonOf = (message: string): string => {
  const [, reason = message] = /"message":"((?:[^"\\]|\\.)*)"/.exec(message) ?? []
  return `The collector cannot be told everything: ${reason.slice(0, 300)}`
}

const sayWhatFails = (): void => {
  let saidAt = Number.NEGATIVE_INFINITY
  const say = (message: string): void => {
    if (performance.now() - saidAt < SAID_EVERY_MS) return
    saidAt = performance.now()
    const line = { level: 'warn', time: new Date().toISOString(), program: 'telemetry', msg: reasonOf(message) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  const nothing = () => {}
  const logger: DiagLogger = { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

/** Sends spans, metrics and log lines over OTLP, as the settings say. */
export const createExports = (name: string, settings: TelemetrySettings, registry: Registry): Exports => {
  sayWhatFails()
  const about = { 'service.name': name, 'service.namespace': 'assay', 'service.version': readProductVersion() }
  const resource = defaultResource()
    .merge(resourceFromAttributes(about))
    .merge(detectResources({ detectors: [envDetector] }))
  const scope = { name: 'assay', version: about['service.version'] }
  const parts: { shutdown(): Promise<void> }[] = []

  const tracer = (): Tracer => {
    const provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    })
    parts.push(provider)
    const otel = provider.getTracer(scope.name, scope.version)
    return ({ name, kind, parent, startedAt, attributes = {} }) => {
      const context = parent === null ? ROOT_CONTEXT : contextOf(parent)
      const span = otel.startSpan(name, { kind: KINDS[kind], startTime: startedAt ?? Date.now(), attributes }, context)
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        trace: { traceId, spanId, sampled: (traceFlags & 1) === 1 },
        end: ({ endedAt, attributes: more, failed } = {}) => {
          if (more !== undefined) span.setAttributes(more)
          if (failed !== undefined) {
            span.setAttribute('error.type', failed)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end(endedAt ?? Date.now())
        },
      }
    }
  }

  const log = (): DestinationStream => {
    const provider = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
    })
    parts.push(provider)
    return createLogRecords(provider.getLogger(scope.name, scope.version))
  }

  const sendMetrics = (): void => {
    const reader = new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter(),
      exportIntervalMillis: settings.metricExportMs,
      exportTimeoutMillis: Math.min(settings.metricExportMs, 30_000),
      metricProducers: [metricsOf(registry, resource, scope)],
    })
    parts.push(new MeterProvider({ resource, readers: [reader] }))
  }

  if (settings.metrics === 'otlp') sendMetrics()
  return {
    tracer: settings.traces === 'otlp' ? tracer() : null,
    log: settings.logs === 'otlp' ? log() : null,
    stop: async () => void (await Promise.all(parts.map(part => part.shutdown()))),
  }
}
