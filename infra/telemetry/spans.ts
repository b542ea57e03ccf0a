import { AsyncLocalStorage } from 'node:async_hooks'
import type { Analytics } from '../clickhouse/port.ts'
import type { Database } from '../postgres/port.ts'
import { childOf, newTrace, type TraceContext } from '../runtime/traces.ts'

/** Never hold anything that a sender or a person wrote: ids, counts, names of ours. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

interface SpanStart {
  /** Of few values, without ids: who looks at traces groups by it. */
  readonly name: string
  /** As OpenTelemetry has it: who answers a caller, who takes a record, who asks a store, all else. */
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
  /** The code of what went wrong; absent when nothing did. */
  readonly failed?: string | undefined
}

/** A piece of work that a trace shows. */
interface Span {
  /** What is passed on, so that work elsewhere becomes a part of this one. */
  readonly trace: TraceContext
  end(how?: SpanEnd): void
}

export type Tracer = (start: SpanStart) => Span

/** A question to a store that was answered, or not. */
export interface StoreCall extends Required<Pick<SpanStart, 'name' | 'startedAt' | 'attributes'>> {
  readonly endedAt: number
  readonly failed: string | undefined
}

interface Surroundings {
  /** Null where several signals are worked on at once. */
  readonly trace: TraceContext | null
  readonly onStoreCall: (call: StoreCall) => void
}

let tracer: Tracer | null = null
const surroundings = new AsyncLocalStorage<Surroundings>()
const nothing = () => {}

/** Has what follows on this thread recorded; null: no longer. */
export const traceWith = (next: Tracer | null): void => {
  tracer = next
}

export const isTracing = (): boolean => tracer !== null

/** Begins a span. While nothing is recorded it is a place in a trace all the same, to be passed on. */
export const beginSpan = (start: SpanStart): Span => {
  if (tracer !== null) return tracer(start)
  return { trace: start.parent === null ? newTrace() : childOf(start.parent), end: nothing }
}

/** Records what is over already. */
export const recordSpan = (start: SpanStart, how: SpanEnd): Span => {
  const span = beginSpan(start)
  span.end(how)
  return span
}

const recordStoreCall = (parent: TraceContext, { endedAt, failed, ...call }: StoreCall): void =>
  void recordSpan({ ...call, kind: 'client', parent }, { endedAt, failed })

/** Does the work as a part of the span: what it asks of the stores and what it logs belongs to it. */
export const withinSpan = <T>({ trace }: Span, work: () => T): T =>
  surroundings.run({ trace, onStoreCall: call => recordStoreCall(trace, call) }, work)

/** The span that the caller works within; null outside of any. */
export const currentTrace = (): TraceContext | null => surroundings.getStore()?.trace ?? null

/** A place for work that the caller causes elsewhere: in its trace, or in one of its own. */
export const traceFromHere = (): TraceContext => {
  const trace = currentTrace()
  return trace === null ? newTrace() : childOf(trace)
}

/** Does work on a batch, and answers with what it asked of the stores: for everything in the batch at once. */
export const withStoreCalls = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly calls: readonly StoreCall[] }> => {
  const calls: StoreCall[] = []
  if (tracer === null) return { result: await work(), calls }
  const result = await surroundings.run({ trace: null, onStoreCall: call => calls.push(call) }, work)
  return { result, calls }
}

/** Shows the calls of a batch below each span that they were made for. */
export const recordStoreCalls = (parent: Span, calls: readonly StoreCall[]): void => {
  for (const call of calls) recordStoreCall(parent.trace, call)
}

/** Asks a store; recorded where the caller is within a span or a batch. */
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
 * The database, its transactions shown in traces. The statements are not: there are many, and a transaction is what one
 * waits for.
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

/** The analytics engine, its questions and inserts shown in traces. */
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
