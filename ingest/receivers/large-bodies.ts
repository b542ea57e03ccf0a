import type { Logger } from '../../infra/runtime/logger.ts'
import { createQuestionThread } from '../../infra/runtime/question-thread.ts'
import { serverOverloaded } from '../intake/read-body.ts'
import type { Refusal } from '../refusal.ts'
import type { EndpointReceiver, ProvenRequest, Taken } from './receiver.ts'

/** To the thread: a request to the receiver of a path. */
export interface LargeRequest {
  readonly path: string
  readonly request: ProvenRequest
}

export type LargeAnswer = Taken | Refusal

/** Has a receiver parse and project a request, on a thread of its own where that takes long: the body is gone afterwards. */
export interface BodyParser {
  receive(receiver: EndpointReceiver, request: ProvenRequest): Taken | Refusal | Promise<Taken | Refusal>
  stop(): Promise<void>
}

/** Parsing so much takes tens of milliseconds, in which the edge would serve nobody. */
const LARGE_BYTES = 1024 * 1024
const DEADLINE_MS = 30_000
const RETRY_SECONDS = 10
/** A body of 25 MiB as text and as values, and the one before it that is not collected yet. */
const HEAP_MEBIBYTES = 1024

export const createBodyParser = (logger: Pick<Logger, 'warn'>): BodyParser => {
  const { ask, stop } = createQuestionThread<LargeRequest, LargeAnswer>({
    file: new URL('./large-bodies-thread.ts', import.meta.url),
    name: 'large bodies',
    heapMebibytes: HEAP_MEBIBYTES,
    deadlineMs: DEADLINE_MS,
    logger,
  })

  const receiveApart = async ({ path }: EndpointReceiver, request: ProvenRequest): Promise<LargeAnswer> => {
    // What proved the sender does not leave this thread.
    const source = { ...request.source, secrets: [], secretHashes: [] }
    // Handed over: copying 25 MiB takes as long as a small body's whole way, and nobody here needs them any more.
    const answered = await ask({ path, request: { ...request, source } }, [request.body.buffer as ArrayBuffer])
    return answered.kind === 'answered' ? answered.answer : serverOverloaded(RETRY_SECONDS)
  }

  return {
    receive: (receiver, request) =>
      request.body.byteLength < LARGE_BYTES ? receiver.receive(request) : receiveApart(receiver, request),
    stop,
  }
}
