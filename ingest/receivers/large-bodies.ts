import type { Logger } from '../../infra/runtime/logger.ts'
import { createQuestionThread } from '../../infra/runtime/threads.ts'
import type { Refusal } from '../answer.ts'
import { serverOverloaded } from '../intake/intake.ts'
import type { EndpointReceiver, ProvenRequest, Taken, UnprovenRequest } from './receiver.ts'

/** A message to the thread: a request for the receiver of a path. */
export type LargeRequest = { readonly path: string } & (
  | { readonly ask: 'prove'; readonly request: UnprovenRequest }
  | { readonly ask: 'receive'; readonly request: ProvenRequest }
)

export type LargeAnswer =
  | { readonly is: 'proven'; readonly body: Uint8Array }
  | { readonly is: 'answered'; readonly answer: Taken | Refusal }

/** The body of a proven request. */
interface ProvenBody {
  readonly kind: 'complete'
  readonly bytes: Buffer
}

/**
 * Proves and parses request bodies, large ones on a thread. The body of a large request is transferred: the caller must
 * not use it afterwards.
 */
export interface BodyWorker {
  prove(receiver: EndpointReceiver, request: UnprovenRequest): ProvenBody | Refusal | Promise<ProvenBody | Refusal>
  /** Parses a request and keeps the needed fields. */
  receive(receiver: EndpointReceiver, request: ProvenRequest): Taken | Refusal | Promise<Taken | Refusal>
  stop(): Promise<void>
}

/**
 * From this size on a body goes to the thread: checking and parsing it takes longer than all work on a small request,
 * and would delay others.
 */
const LARGE_BYTES = 64 * 1024
const DEADLINE_MS = 30_000
const OVERLOADED = serverOverloaded(10)
/** Heap of the thread: a body of 25 MiB as text and values, and the body before, which is not collected yet. */
const HEAP_MEBIBYTES = 1024

const isLarge = ({ body }: UnprovenRequest): boolean => body.byteLength >= LARGE_BYTES

export const createBodyWorker = (logger: Pick<Logger, 'warn'>): BodyWorker => {
  const { ask, stop } = createQuestionThread<LargeRequest, LargeAnswer>({
    file: new URL('./large-bodies-thread.ts', import.meta.url),
    name: 'large bodies',
    heapMebibytes: HEAP_MEBIBYTES,
    deadlineMs: DEADLINE_MS,
    logger,
  })

  /** Transfers the body: copying 25 MiB takes as long as all work on a small body. */
  const askThread = async (question: LargeRequest): Promise<LargeAnswer> => {
    const answered = await ask(question, [question.request.body.buffer as ArrayBuffer])
    return answered.kind === 'answered' ? answered.answer : { is: 'answered', answer: OVERLOADED }
  }

  const proveApart = async ({ path }: EndpointReceiver, request: UnprovenRequest): Promise<ProvenBody | Refusal> => {
    const answer = await askThread({ ask: 'prove', path, request })
    if (answer.is === 'answered') return answer.answer.kind === 'refusal' ? answer.answer : OVERLOADED
    const { buffer, byteOffset, byteLength } = answer.body
    return { kind: 'complete', bytes: Buffer.from(buffer, byteOffset, byteLength) }
  }

  const receiveApart = async ({ path }: EndpointReceiver, request: ProvenRequest): Promise<Taken | Refusal> => {
    // The secrets are not needed after the proof.
    const source = { ...request.source, secrets: [], secretHashes: [] }
    const answer = await askThread({ ask: 'receive', path, request: { ...request, source } })
    return answer.is === 'answered' ? answer.answer : OVERLOADED
  }

  return {
    prove: (receiver, request) =>
      isLarge(request)
        ? proveApart(receiver, request)
        : (receiver.prove(request) ?? { kind: 'complete', bytes: request.body }),
    receive: (receiver, request) => (isLarge(request) ? receiveApart(receiver, request) : receiver.receive(request)),
    stop,
  }
}
