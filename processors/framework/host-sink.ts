import type { Consumer, Log, StoredRecord } from '../../infra/log/port.ts'
import { recordedParent, type TraceContext } from '../../infra/runtime/traces.ts'
import { isTracing, recordSpan, recordStoreCalls, withStoreCalls } from '../../infra/telemetry/spans.ts'
import { HEADERS } from '../../schemas/events/topics.ts'
import type { Observer } from './step.ts'
import { type Breaker, type Handler, waitForDependency } from './wait-for-dependency.ts'

/** The topic of a sink, and its batch size. */
interface Sink {
  /** Name of its spans. */
  readonly name: string
  readonly group: string
  readonly topic: string
  readonly maxRecords: number
}

interface SinkDependencies {
  readonly log: Pick<Log, 'consume'>
  readonly breaker: Breaker
  readonly observer: Observer
}

/** Consumes a topic whose records a store takes. While the store is away, the partition stands still. */
export const hostSink = (
  { log, breaker, observer }: SinkDependencies,
  { name, group, topic, maxRecords }: Sink,
  handle: Handler,
): Promise<Consumer> =>
  log.consume({
    group,
    topics: [topic],
    maxRecords,
    onBatch: waitForDependency(group, breaker, observer, traceSink(name, handle)),
  })

/**
 * Trace contexts of the requests that sent the records. `[null]` starts a new trace, for records without one: activity
 * comes from many requests.
 */
const parentsOf = (records: readonly StoredRecord[]): readonly (TraceContext | null)[] => {
  const parents = new Map<string, TraceContext>()
  for (const { headers } of records) {
    const parent = recordedParent(headers[HEADERS.traceparent])
    if (parent !== null) parents.set(parent.spanId, parent)
  }
  return parents.size === 0 ? [null] : [...parents.values()]
}

/** Adds a sink's work to the trace of each request in the batch. Each trace shows all store calls of the batch. */
export const traceSink =
  (name: string, handle: Handler): Handler =>
  async (batch, context) => {
    if (!isTracing()) return handle(batch, context)
    const startedAt = Date.now()
    const { result, calls } = await withStoreCalls(() => handle(batch, context))
    // The sink waits for more records, or had nothing to write.
    if (calls.length === 0) return result
    const attributes = {
      'messaging.destination.name': batch.topic,
      'messaging.batch.message_count': batch.records.length,
    }
    for (const parent of parentsOf(batch.records)) {
      const span = recordSpan({ name: `sink ${name}`, kind: 'consumer', parent, startedAt, attributes }, {})
      recordStoreCalls(span, calls)
    }
    return result
  }
