import { setImmediate } from 'node:timers/promises'
import { batchIsFull, encodeResponse, readMessage } from './messages.ts'

export const MAX_IN_A_BATCH = 50
/** When a batch has answered so many bytes, the rest of it is not run. */
export const MAX_BYTES_OF_A_BATCH = 1024 * 1024

/** Versions whose clients may send several messages in one body; 2025-06-18 took that away. */
const WITH_BATCHES = ['2024-10-07', '2024-11-05', '2025-03-26']

/** What a message is answered: a response, as JSON, and the HTTP status that it would have by itself. */
export interface BatchAnswer {
  readonly body: Buffer
  readonly status: 200 | 401 | 429 | 503
  readonly retryAfterSeconds?: number
}

/** Why a batch is not taken at all; null when it is. */
export const refuseBatch = (messages: readonly unknown[], version: string | null): string | null => {
  if (version !== null && !WITH_BATCHES.includes(version)) return `protocol ${version} has no batches.`
  if (messages.length === 0) return 'a batch must not be empty.'
  if (messages.length > MAX_IN_A_BATCH) return `a batch has at most ${MAX_IN_A_BATCH} messages.`
  const initializes = messages.some(
    message =>
      typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize',
  )
  return initializes ? 'initialize must not be part of a batch.' : null
}

/**
 * Answers messages in order, one at a time: a later call may rest on an earlier one, and a batch is no way to take more
 * than others. Between two of them other requests have their turn.
 */
export const answerBatch = async (
  messages: readonly unknown[],
  answer: (message: unknown, position: number) => Promise<BatchAnswer | null>,
): Promise<BatchAnswer[]> => {
  const answers: BatchAnswer[] = []
  let bytes = 0
  for (const [position, message] of messages.entries()) {
    const answered = bytes < MAX_BYTES_OF_A_BATCH ? await answer(message, position) : notRun(message, bytes)
    if (answered === null) continue
    answers.push(answered)
    bytes += answered.body.length
    await setImmediate()
  }
  return answers
}

const notRun = (message: unknown, bytes: number): BatchAnswer | null => {
  const incoming = readMessage(message)
  if (incoming.kind === 'silent') return null
  const response = incoming.kind === 'malformed' ? incoming.response : batchIsFull(incoming.request.id, bytes)
  return { body: encodeResponse(response), status: 200 }
}

/** The responses as one JSON array. */
export const encodeBatch = (answers: readonly BatchAnswer[]): Buffer =>
  Buffer.concat([
    Buffer.from('['),
    ...answers.flatMap(({ body }, position) => (position === 0 ? [body] : [Buffer.from(','), body])),
    Buffer.from(']'),
  ])
