import { AsyncLocalStorage } from 'node:async_hooks'
import type { AssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { newTrace, type TraceContext } from '../../infra/runtime/traces.ts'
import { currentTrace } from '../../infra/telemetry/spans.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'

/** What an answer is of, in names of this program's own: never what a client wrote. */
interface AnswerNames {
  /** The pattern that the address fitted, such as `/api/files/exports/:id`. */
  readonly route?: string
  readonly operation?: string
  /** The method of an MCP request. */
  readonly method?: string
}

/** What is known of an answer while it is made. */
interface AnswerUnderWay {
  readonly names: AnswerNames
  /** What the answer will tell of; null while it tells of no error. */
  readonly error: AssayError | null
  /** Where the error was noted. */
  readonly trace: TraceContext | null
}

const underWay = new AsyncLocalStorage<{ answer: AnswerUnderWay }>()

const NOTHING_KNOWN: AnswerUnderWay = { names: {}, error: null, trace: null }

const change = (changed: (answer: AnswerUnderWay) => Partial<AnswerUnderWay>): void => {
  const current = underWay.getStore()
  if (current) current.answer = { ...current.answer, ...changed(current.answer) }
}

/** Says what the answer under way is of, beside what was said before. */
export const nameAnswer = (names: AnswerNames): void => change(answer => ({ names: { ...answer.names, ...names } }))

/** Says that the answer under way will tell of this error. Each door calls it where it makes an answer of an error. */
export const noteError = (error: AssayError): void => change(() => ({ error, trace: currentTrace() }))

type Log = Pick<Logger, 'error'>

const write = (log: Log, { names, error, trace }: AnswerUnderWay): void => {
  const ids = trace === null ? {} : { trace_id: trace.traceId, span_id: trace.spanId }
  log.error(
    { ...names, ...ids, err: error ?? new Error('Nothing that made the answer said why.') },
    'A request failed.',
  )
}

/** Makes an answer; one that tells of an error for which `isFailure` holds has one line in the log. */
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
 * The handler, with one line in the log for each of its answers of 500, whatever made them: the request id of the
 * answer, what it is of, and its error as the log writes errors.
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
