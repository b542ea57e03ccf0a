import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseConfig } from '../runtime/config.ts'
import { createLogger } from '../runtime/logger.ts'
import { Counter, createMetrics, Gauge, Histogram } from '../runtime/metrics.ts'
import { newTrace } from '../runtime/traces.ts'
import { TELEMETRY_CONFIG } from './config.ts'
import { askingStore, beginSpan, isTracing, traceFromHere, withinSpan, withStoreCalls } from './spans.ts'
import { startTelemetry } from './telemetry.ts'
import { type Collector, startCollector, valuesOf } from './testing-collector.ts'

const VARIABLE = TELEMETRY_CONFIG.otlpEndpoint.env
let collector: Collector
before(async () => {
  collector = await startCollector()
})
after(() => collector.stop())

/** OpenTelemetry’s packages read the environment of the process. */
const start = (endpoint: string, env: Readonly<Record<string, string>> = {}) => {
  process.env[VARIABLE] = endpoint
  const metrics = createMetrics({ program: 'tested', ofProcess: false })
  const settings = parseConfig(TELEMETRY_CONFIG, { [VARIABLE]: endpoint, ...env })
  return startTelemetry({ name: 'tested', settings, metrics }).then(telemetry => ({ telemetry, metrics }))
}

test('nothing is recorded where no collector is named or telemetry is switched off, and traces go on all the same', async () => {
  const metrics = createMetrics({ program: 'tested', ofProcess: false })
  const off = [
    parseConfig(TELEMETRY_CONFIG, {}),
    parseConfig(TELEMETRY_CONFIG, { [VARIABLE]: 'http://x', OTEL_SDK_DISABLED: 'true' }),
  ]
  for (const settings of off) assert.equal(await startTelemetry({ name: 'tested', settings, metrics }), null)
  assert.ok(!isTracing())
  const parent = newTrace()
  const span = beginSpan({ name: 'call', kind: 'internal', parent })
  assert.equal(span.trace.traceId, parent.traceId)
  assert.equal(withinSpan(span, traceFromHere).traceId, parent.traceId)
  const { result, calls } = await withStoreCalls(() => askingStore('query', {}, async () => 7))
  assert.deepEqual([result, calls], [7, []])
})

test('metrics arrive as they are exposed, each bucket alone', async () => {
  const { telemetry, metrics } = await start(collector.url)
  const registers = [metrics.registry]
  new Counter({ name: 'taken_total', help: 'Taken', labelNames: ['lane'], registers }).inc({ lane: 'live' }, 3)
  new Gauge({ name: 'waiting', help: 'Waiting', registers }).set(5)
  const seconds = new Histogram({ name: 'seconds', help: 'Seconds', buckets: [1, 2], registers })
  for (const value of [0.5, 1.5, 1.5, 9]) seconds.observe(value)
  await telemetry?.stop()

  const named = (name: string) => collector.metrics.find(metric => metric.name === name)
  const taken = named('taken_total')
  assert.deepEqual([taken?.service, taken?.sum?.isMonotonic, taken?.sum?.dataPoints[0]?.asDouble], ['tested', true, 3])
  const waiting = named('waiting')?.gauge?.dataPoints[0]
  assert.deepEqual([waiting?.asDouble, valuesOf(waiting?.attributes ?? [])], [5, { program: 'tested' }])
  const { count, sum, bucketCounts, explicitBounds } = named('seconds')?.histogram?.dataPoints[0] ?? {}
  assert.deepEqual([Number(count), sum, bucketCounts?.map(Number), explicitBounds], [4, 12.5, [1, 2, 1], [1, 2]])
})

test('a log line arrives redacted and in the trace that it was said in', async () => {
  const { telemetry } = await start(collector.url)
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'info', program: 'tested', destination, also: telemetry?.log ?? null })
  const span = beginSpan({ name: 'request', kind: 'server', parent: null })
  withinSpan(span, () => logger.warn({ secret: 'hush', tries: 2 }, 'It did not answer.'))
  span.end({ failed: 'unavailable' })
  logger.info('Outside.')
  await telemetry?.stop()

  const [within, outside] = collector.logs.filter(({ service }) => service === 'tested')
  assert.deepEqual([within?.severityText, within?.body.stringValue], ['warn', 'It did not answer.'])
  assert.equal(within?.traceId, span.trace.traceId)
  const { secret, tries } = valuesOf(within?.attributes ?? [])
  assert.deepEqual([secret, Number(tries)], ['[redacted]', 2])
  assert.equal(outside?.traceId, '')
  assert.equal(JSON.parse(lines[0] ?? '').trace_id, span.trace.traceId)
  assert.ok(collector.spans.some(({ traceId, name }) => traceId === span.trace.traceId && name === 'request'))
})

test('a signal to leave out is left out', async () => {
  const { telemetry } = await start(collector.url, { OTEL_LOGS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' })
  assert.deepEqual([telemetry?.log, isTracing()], [null, false])
  await telemetry?.stop()
})

test('a collector that is away keeps no program from stopping', async () => {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '100'
  const { telemetry } = await start('http://127.0.0.1:1')
  beginSpan({ name: 'unsent', kind: 'internal', parent: null }).end()
  await telemetry?.stop()
  assert.ok(!isTracing())
})

test('another protocol than the one there is is refused by name', () => {
  const env = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  assert.throws(() => parseConfig(TELEMETRY_CONFIG, env), /OTEL_EXPORTER_OTLP_PROTOCOL is "grpc".*http\/protobuf/)
})
