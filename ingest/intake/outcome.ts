import type { TraceContext } from '../../infra/runtime/traces.ts'
import type { Answer } from '../http/answer.ts'
import type { IncomingBody } from '../http/body.ts'
import type { RequestHead } from '../http/head.ts'
import type { Refusal } from '../refusal.ts'
import type { Source } from '../registry/source.ts'

/** The client left: nobody waits for an answer. */
interface Aborted {
  readonly kind: 'aborted'
}

export type Outcome = { readonly kind: 'answer'; readonly answer: Answer } | Refusal | Aborted

/** What becomes of a request whose head is right. Tells each source that it is for as soon as it is known; what it makes is of the trace. */
export type RequestHandler = (
  head: RequestHead,
  body: IncomingBody,
  onSourceFound: (source: Source) => void,
  trace: TraceContext,
) => Promise<Outcome>

/** A refusal's reason, `aborted` for a client that left before its answer, or null when the request was accepted. */
export const refusedFor = (outcome: Outcome): string | null => {
  if (outcome.kind === 'answer') return null
  return outcome.kind === 'aborted' ? 'aborted' : outcome.reason
}

/** The outcome with headers added; those that it has itself stay. */
export const addHeaders = (outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome => {
  if (outcome.kind === 'aborted') return outcome
  if (outcome.kind === 'refusal') return { ...outcome, headers: { ...headers, ...outcome.headers } }
  return { kind: 'answer', answer: { ...outcome.answer, headers: { ...headers, ...outcome.answer.headers } } }
}
