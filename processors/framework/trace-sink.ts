import type { StoredRecord } from '../../infra/log/port.ts'
import { parseTraceparent, type TraceContext } from '../../infra/runtime/traces.ts'
import { isTracing, recordSpan, recordStoreCalls, withStoreCalls } from '../../infra/telemetry/spans.ts'
import { HEADERS } from '../../schemas/events/topics.ts'
import type { Handler } from './wait-for-dependency.ts'

/** The requests that records came by; a trace of its own where none says so, as of activity, which is of many. */
const parentsOf = (records: readonly StoredRecord[]): readonly (TraceContext | null)[] => {
  const parents = new Map<string, TraceContext>()
  for (const { headers } of records) {
    const parent = parseTraceparent(headers[HEADERS.traceparent])
    if (parent?.sampled === true) parents.set(parent.spanId, parent)
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
