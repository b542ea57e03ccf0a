import type { Consumer, Log, StoredRecord } from '../../infra/log/port.ts'
import { recordedParent, type TraceContext } from '../../infra/runtime/traces.ts'
import { isTracing, recordSpan, recordStoreCalls, withStoreCalls } from '../../infra/telemetry/spans.ts'
import { HEADERS } from '../../schemas/events/topics.ts'
import type { Observer } from './step.ts'
import { type Breaker, type Handler, waitForDependency } from './wait-for-dependency.ts'

/** Where a sink reads, and how much of it at a time. */
interface Sink {
  /** What a trace calls it. */
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

/** Consumes a topic whose records end in a store. While that is away, the partition stands still. */
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

/** The requests that records came by; a trace of its own where none says so, as of activity, which is of many. */
const parentsOf = (records: readonly StoredRecord[]): readonly (TraceContext | null)[] => {
  const parents = new Map<string, TraceContext>()
  for (const { headers } of records) {
    const parent = recordedParent(headers[HEADERS.traceparent])
    if (parent !== null) parents.set(parent.spanId, parent)
  }
  return parents.size === 0 ? [null] : [...parents.values()]
}

/** Shows what a sink writes in the trace of each request that it writes for; what it asked it asked for all of them. */
export const traceSink =
  (name: string, handle: Handler): Handler =>
  async (batch, context) => {
    if (!isTracing()) return handle(batch, context)
    const startedAt = Date.now()
    const { result, calls } = await withStoreCalls(() => handle(batch, context))
    // It waits for more, or had nothing to write.
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
