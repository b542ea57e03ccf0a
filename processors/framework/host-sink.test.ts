import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { childOf, formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import { askingStore, type Tracer, traceWith } from '../../infra/telemetry/spans.ts'
import { HEADERS } from '../../schemas/events/topics.ts'
import { traceSink } from './host-sink.ts'

afterEach(() => traceWith(null))

const context = {
  signal: new AbortController().signal,
  commit: async () => {},
  heartbeat: async () => {},
  before: Promise.resolve(),
}
const batchOf = (...traceparents: readonly (string | null)[]) => ({
  topic: 'metrics.points',
  partition: 0,
  committed: null,
  highWatermark: traceparents.length,
  records: traceparents.map((traceparent, offset) => ({
    topic: 'metrics.points',
    partition: 0,
    offset,
    timestamp: 0,
    key: null,
    value: new Uint8Array(),
    headers: traceparent === null ? {} : { [HEADERS.traceparent]: traceparent },
  })),
})

/** What is recorded, as name, trace and parent. */
const record = () => {
  const spans: (readonly [name: string, traceId: string, parentId: string | null, own: string])[] = []
  const tracer: Tracer = start => {
    const trace = start.parent === null ? newTrace() : childOf(start.parent)
    spans.push([start.name, trace.traceId, start.parent?.spanId ?? null, trace.spanId])
    return { trace, end: () => {} }
  }
  traceWith(tracer)
  return spans
}

const writing = traceSink('metrics', async () => {
  await askingStore('clickhouse insert', {}, async () => {})
  return { next: 3 }
})

test('what a sink writes is in the trace of each request that it writes for, once', async () => {
  const spans = record()
  const [one, other] = [newTrace(), newTrace()]
  const unrecorded = formatTraceparent({ ...newTrace(), sampled: false })
  const batch = batchOf(formatTraceparent(one), formatTraceparent(one), formatTraceparent(other), unrecorded)
  assert.deepEqual(await writing(batch, context), { next: 3 })
  const sinks = spans.filter(([name]) => name === 'sink metrics')
  assert.deepEqual(
    sinks.map(([, traceId, parentId]) => [traceId, parentId]),
    [one, other].map(({ traceId, spanId }) => [traceId, spanId]),
  )
  assert.deepEqual(
    spans.filter(([name]) => name === 'clickhouse insert').map(([, , parentId]) => parentId),
    sinks.map(([, , , own]) => own),
  )
})

test('records of no request are written in a trace of their own, and what writes nothing is not shown', async () => {
  const spans = record()
  await writing(batchOf(null, null), context)
  assert.deepEqual(
    spans.map(([name, , parentId]) => [name, parentId === null]),
    [
      ['sink metrics', true],
      ['clickhouse insert', false],
    ],
  )
  spans.length = 0
  await traceSink('activity', async () => ({ next: 0, pauseMs: 10 }))(batchOf(null), context)
  assert.deepEqual(spans, [])
})
