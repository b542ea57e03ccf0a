import { AsyncLocalStorage } from 'node:async_hooks'
import type { AssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { newTrace, type TraceContext } from '../../infra/runtime/traces.ts'
import { currentTrace } from '../../infra/telemetry/spans.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'

/** Names of an answer's route and operation: from this program, never from a client. */
interface AnswerNames {
  /** The pattern of the address, such as `/api/files/exports/:id`. */
  readonly route?: string
  readonly operation?: string
  /** Method of an MCP request. */
  readonly method?: string
}

/** Facts about an answer while it is made. */
interface AnswerUnderWay {
  readonly names: AnswerNames
  /** Error of the answer; null without one. */
  readonly error: AssayError | null
  /** Trace in which the error was noted. */
  readonly trace: TraceContext | null
}

const underWay = new AsyncLocalStorage<{ answer: AnswerUnderWay }>()

const NOTHING_KNOWN: AnswerUnderWay = { names: {}, error: null, trace: null }

const change = (changed: (answer: AnswerUnderWay) => Partial<AnswerUnderWay>): void => {
  const current = underWay.getStore()
  if (current) current.answer = { ...current.answer, ...changed(current.answer) }
}

/** Adds names to the present answer. */
export const nameAnswer = (names: AnswerNames): void => change(answer => ({ names: { ...answer.names, ...names } }))

/** Notes the error of the present answer. Each door calls it when it turns an error into an answer. */
export const noteError = (error: AssayError): void => change(() => ({ error, trace: currentTrace() }))

type Log = Pick<Logger, 'error'>

const write = (log: Log, { names, error, trace }: AnswerUnderWay): void => {
  const ids = trace === null ? {} : { trace_id: trace.traceId, span_id: trace.spanId }
  log.error(
    { ...names, ...ids, err: error ?? new Error('Nothing that made the answer said why.') },
    'A request failed.',
  )
}

/** Makes an answer, and logs one line when its error satisfies `isFailure`. */
export const loggingFailure = <Answer>(
  log: Log,
  isFailure: (error: AssayError) => boolean,
  make: () => Promise<Answer>,
): Promise<Answer> => {
  const current = { answer: { ...NOTHING_KNOWN, names: underWay.getStore()?.answer.names ?? {} } }
  return underWay.run(current, async () => {
    const answer = await make()
    const { error } = current.answer
    if (error !== null && isFailure(error)) write(log, current.answer)
    return answer
  })
}

/**
 * The handler, with one line in the log for each answer of 500, whatever made it: the answer's request id, its names,
 * and the error.
 */
export const loggingFailures =
  (log: Log, handler: (request: Request) => Promise<Response>) =>
  (request: Request): Promise<Response> => {
    const current = { answer: NOTHING_KNOWN }
    return underWay.run(current, async () => {
      const response = await handler(request)
      if (response.status < 500 || response.status === 503) return response
      const requestId = response.headers.get(REQUEST_ID_HEADER)
      const trace = current.answer.trace ?? { ...newTrace(), ...(requestId !== null && { traceId: requestId }) }
      response.headers.set(REQUEST_ID_HEADER, trace.traceId)
      write(log, { ...current.answer, trace })
      return response
    })
  }
