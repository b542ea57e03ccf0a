import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import protobuf from 'protobufjs'
import { listen } from '../runtime/listen.ts'

/**
 * The messages of OTLP that are looked at, with the numbers of their fields:
 * https://github.com/open-telemetry/opentelemetry-proto/tree/v1.7.0/opentelemetry/proto. The product does not read
 * OTLP; what it writes is read here by another library than wrote it.
 */
const OTLP = protobuf.parse(`
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Status { int32 code = 3; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message NumberDataPoint { double as_double = 4; repeated KeyValue attributes = 7; }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; bool is_monotonic = 3; }
  message HistogramDataPoint {
    fixed64 count = 4; double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7;
    repeated KeyValue attributes = 9;
  }
  message Histogram { repeated HistogramDataPoint data_points = 1; }
  message Metric { string name = 1; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message LogRecord {
    int32 severity_number = 2; string severity_text = 3; AnyValue body = 5; repeated KeyValue attributes = 6;
    bytes trace_id = 9;
  }
  message ScopeLogs { repeated LogRecord log_records = 2; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
  message Logs { repeated ResourceLogs resource_logs = 1; }
`).root

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
interface Sent {
  readonly resource: { readonly attributes: Attributes }
}
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly attributes: Attributes
}
interface SentMetric {
  readonly name: string
  readonly gauge?: { readonly dataPoints: readonly { readonly asDouble: number; readonly attributes: Attributes }[] }
  readonly sum?: { readonly dataPoints: readonly { readonly asDouble: number }[]; readonly isMonotonic: boolean }
  readonly histogram?: {
    readonly dataPoints: readonly {
      readonly count: string
      readonly sum: number
      readonly bucketCounts: readonly string[]
      readonly explicitBounds: readonly number[]
    }[]
  }
}
interface SentLog {
  readonly severityText: string
  readonly body: { readonly stringValue: string }
  readonly attributes: Attributes
  readonly traceId: string
}

type OfService<T> = T & { readonly service: string }

export interface Collector {
  /** Where OTLP over HTTP is taken. */
  readonly url: string
  /** What came by now, in the order it came. */
  readonly spans: readonly OfService<SentSpan>[]
  readonly metrics: readonly OfService<SentMetric>[]
  readonly logs: readonly OfService<SentLog>[]
  stop(): Promise<void>
}

/** The values of attributes by their keys. */
export const valuesOf = (attributes: Attributes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Takes what programs send to an OpenTelemetry collector. */
export const startCollector = async (): Promise<Collector> => {
  const spans: OfService<SentSpan>[] = []
  const metrics: OfService<SentMetric>[] = []
  const logs: OfService<SentLog>[] = []

  const decode = (message: string, bytes: Buffer): Readonly<Record<string, unknown>> => {
    const type = OTLP.lookupType(message)
    return type.toObject(type.decode(bytes), { longs: String, bytes: String, defaults: false, arrays: true })
  }
  // Each message is one of the above.
  const taken: Readonly<Record<string, (body: Buffer) => void>> = {
    '/v1/traces': body => {
      const { resourceSpans } = decode('Traces', body) as {
        resourceSpans: readonly (Sent & { scopeSpans: readonly { spans: readonly SentSpan[] }[] })[]
      }
      for (const sent of resourceSpans) add(spans, sent, sent.scopeSpans.flatMap(scope => scope.spans).map(hexadecimal))
    },
    '/v1/metrics': body => {
      const { resourceMetrics } = decode('Metrics', body) as {
        resourceMetrics: readonly (Sent & { scopeMetrics: readonly { metrics: readonly SentMetric[] }[] })[]
      }
      for (const sent of resourceMetrics)
        add(
          metrics,
          sent,
          sent.scopeMetrics.flatMap(scope => scope.metrics),
        )
    },
    '/v1/logs': body => {
      const { resourceLogs } = decode('Logs', body) as {
        resourceLogs: readonly (Sent & { scopeLogs: readonly { logRecords: readonly SentLog[] }[] })[]
      }
      for (const sent of resourceLogs)
        add(logs, sent, sent.scopeLogs.flatMap(scope => scope.logRecords).map(hexadecimal))
    },
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    taken[request.url ?? '']?.(body)
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  const { port, stop } = await listen(server, { host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${port}`, spans, metrics, logs, stop }
}

const add = <T>(all: OfService<T>[], { resource }: Sent, some: readonly T[]): void => {
  const service = String(valuesOf(resource.attributes)['service.name'])
  for (const each of some) all.push({ ...each, service })
}

const hexadecimal = <T extends { readonly traceId: string; readonly spanId?: string; readonly parentSpanId?: string }>(
  sent: T,
): T => {
  const hex = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex')
  return { ...sent, traceId: hex(sent.traceId), spanId: hex(sent.spanId), parentSpanId: hex(sent.parentSpanId) }
}
