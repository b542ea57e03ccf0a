import { AsyncLocalStorage } from 'node:async_hooks'
import type { Analytics } from '../clickhouse/port.ts'
import type { Database } from '../postgres/port.ts'
import { childOf, newTrace, type TraceContext } from '../runtime/traces.ts'

/** Only ids, counts and our own names, never text of a sender or a person. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

interface SpanStart {
  /** One of few values, without ids: traces are grouped by it. */
  readonly name: string
  /** OpenTelemetry's kinds: answers a caller, takes a record, asks a store, anything else. */
  readonly kind: 'server' | 'consumer' | 'client' | 'internal'
  /** Null: a trace begins here. */
  readonly parent: TraceContext | null
  /** Milliseconds since the epoch; now unless given. */
  readonly startedAt?: number
  readonly attributes?: SpanAttributes
}

interface SpanEnd {
  /** Milliseconds since the epoch; now unless given. */
  readonly endedAt?: number
  readonly attributes?: SpanAttributes
  /** The error's code; absent without an error. */
  readonly failed?: string | undefined
}

/** A piece of work in a trace. */
interface Span {
  /** Passed on, so that work elsewhere becomes part of this trace. */
  readonly trace: TraceContext
  end(how?: SpanEnd): void
}

export type Tracer = (start: SpanStart) => Span

/** A finished call of a store. */
export interface StoreCall extends Required<Pick<SpanStart, 'name' | 'startedAt' | 'attributes'>> {
  readonly endedAt: number
  readonly failed: string | undefined
}

interface Surroundings {
  /** Null while several signals are worked on together. */
  readonly trace: TraceContext | null
  readonly onStoreCall: (call: StoreCall) => void
}

let tracer: Tracer | null = null
const surroundings = new AsyncLocalStorage<Surroundings>()
const nothing = () => {}

/** Records what follows on this thread; with null recording ends. */
export const traceWith = (next: Tracer | null): void => {
  tracer = next
}

export const isTracing = (): boolean => tracer !== null

/** Begins a span. Without recording it is still a place in a trace, to be passed on. */
export const beginSpan = (start: SpanStart): Span => {
  if (tracer !== null) return tracer(start)
  return { trace: start.parent === null ? newTrace() : childOf(start.parent), end: nothing }
}

/** Records finished work. */
export const recordSpan = (start: SpanStart, how: SpanEnd): Span => {
  const span = beginSpan(start)
  span.end(how)
  return span
}

const recordStoreCall = (parent: TraceContext, { endedAt, failed, ...call }: StoreCall): void =>
  void recordSpan({ ...call, kind: 'client', parent }, { endedAt, failed })

/** Does work as part of the span: its store calls and log lines belong to the span. */
export const withinSpan = <T>({ trace }: Span, work: () => T): T =>
  surroundings.run({ trace, onStoreCall: call => recordStoreCall(trace, call) }, work)

/** The caller's span; null outside of any. */
export const currentTrace = (): TraceContext | null => surroundings.getStore()?.trace ?? null

/** A place for work that the caller causes elsewhere: in its trace, or a new one. */
export const traceFromHere = (): TraceContext => {
  const trace = currentTrace()
  return trace === null ? newTrace() : childOf(trace)
}

/** Does work on a batch, and returns its store calls, which served all items at once. */
export const withStoreCalls = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly calls: readonly StoreCall[] }> => {
  const calls: StoreCall[] = []
  if (tracer === null) return { result: await work(), calls }
  const result = await surroundings.run({ trace: null, onStoreCall: call => calls.push(call) }, work)
  return { result, calls }
}

/** Records a batch's store calls below each span that they served. */
export const recordStoreCalls = (parent: Span, calls: readonly StoreCall[]): void => {
  for (const call of calls) recordStoreCall(parent.trace, call)
}

/** Calls a store; recorded when the caller is within a span or a batch. */
export const askingStore = async <T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> => {
  const around = tracer === null ? undefined : surroundings.getStore()
  if (around === undefined) return work()
  const startedAt = Date.now()
  const endSpan = (failed: string | undefined) =>
    around.onStoreCall({ name, attributes, startedAt, endedAt: Date.now(), failed })
  try {
    const result = await work()
    endSpan(undefined)
    return result
  } catch (error) {
    endSpan(error instanceof Error ? error.name : 'error')
    throw error
  }
}

const POSTGRESQL = { 'db.system.name': 'postgresql' }
const CLICKHOUSE = { 'db.system.name': 'clickhouse' }

/**
 * The database with transactions in traces. Statements are left out: there are many, and callers wait for transactions.
 */
export const tracedDatabase = (database: Database): Database =>
  isTracing()
    ? {
        ...database,
        transaction: (scope, work) =>
          askingStore('postgresql transaction', { ...POSTGRESQL, 'assay.role': scope.role }, () =>
            database.transaction(scope, work),
          ),
      }
    : database

/** The analytics engine with queries and inserts in traces. */
export const tracedAnalytics = (analytics: Analytics): Analytics =>
  isTracing()
    ? {
        ...analytics,
        query: (statement, parameters) =>
          askingStore('clickhouse query', CLICKHOUSE, () => analytics.query(statement, parameters)),
        insert: (table, rows, token) =>
          askingStore('clickhouse insert', { ...CLICKHOUSE, 'db.collection.name': table }, () =>
            analytics.insert(table, rows, token),
          ),
      }
    : analytics
