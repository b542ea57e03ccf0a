import { setImmediate } from 'node:timers/promises'
import { AssayError } from '../../infra/runtime/errors.ts'
import { PIECE_BYTES } from '../../model/transfers/pieces.ts'
import type { BodyLimits } from '../operations/parts/body-limits.ts'
import type { Worker } from '../worker/work.ts'
import type { BodyBudget, BodySender } from './body-budget.ts'
import { createBodyMemory, type Held } from './body-memory.ts'
import { readJson } from './read-json.ts'

interface ReadBody {
  readonly value: unknown
  readonly bytes: number
}

/** The one way in for the bodies of requests: nothing else of the query API reads one. */
export interface BodyDoor {
  /**
   * A request's body as JSON, undefined where it is empty, and its length. Rejects with `unsupported` when it is not
   * declared as JSON (a page elsewhere cannot send that without a preflight), `rate_limited` while the sender's budget
   * is used up or their bodies under way take their part of the memory, `too_large` beyond the limits, and
   * `invalid_input` for what is no JSON.
   */
  json(request: Request, from: BodySender, limits: BodyLimits): Promise<ReadBody>
  /**
   * The bytes of a file, as they come. Throws `invalid_input` where there are none, and `rate_limited` where the
   * sender's bodies under way take their part of the memory.
   */
  file(request: Request, from: BodySender): AsyncGenerator<Uint8Array>
}

/** Above it a body is read on a thread of its own: the main thread would serve nobody for some 10 ms. */
const LARGE_BYTES = 256 * 1024
/** Up to here a body takes less than 2 ms, whatever it is. */
const SMALL_BYTES = 4 * 1024
/** What is held of a file at once: the piece that is stored, and the next one. */
const FILE_BYTES = 2 * PIECE_BYTES

export const createBodyDoor = (budget: BodyBudget, worker: Worker): BodyDoor => {
  const memory = createBodyMemory()
  let last: Promise<unknown> = Promise.resolve()
  /**
   * One body that is not small in each turn of the event loop: however many come at once, others are served between.
   */
  const ownTurn = (): Promise<unknown> => {
    last = last.then(() => setImmediate())
    return last
  }
  const read = async (request: Request, from: BodySender, limits: BodyLimits, held: Held): Promise<ReadBody> => {
    const declared = request.headers.get('content-length') ?? ''
    // No server reads beyond a declared length, and without a stream of the request's own a call costs a third less.
    const isBounded = /^\d+$/.test(declared) && !request.headers.has('transfer-encoding')
    if (isBounded) held.take(Number(declared))
    const bytes = isBounded ? new Uint8Array(await request.arrayBuffer()) : await readUpTo(request.body, limits, held)
    budget.takeBytes(from, bytes.byteLength)
    if (bytes.byteLength > limits.bytes) throw tooLarge(limits)
    if (bytes.byteLength > LARGE_BYTES && from.tenant !== null)
      return { value: await worker.run(from.tenant, 'json', { bytes, limits }), bytes: bytes.byteLength }
    if (bytes.byteLength > SMALL_BYTES) await ownTurn()
    // The sender is looked at once more: bodies that came with this one may have used the budget up.
    budget.admit(from)
    return { value: budget.spending(from, () => readJson({ bytes, limits })), bytes: bytes.byteLength }
  }
  return {
    json: async (request, from, limits) => {
      const type = request.headers.get('content-type') ?? ''
      if (!/^application\/json *(;|$)/i.test(type)) {
        throw new AssayError('unsupported', 'The body must be JSON: send the header Content-Type: application/json.')
      }
      assertDeclared(request, limits)
      // Before the body is read: what is refused costs its sender's others nothing.
      budget.admit(from)
      const held = memory.of(from)
      try {
        return await read(request, from, limits, held)
      } finally {
        held.release()
      }
    },
    file: async function* ({ body }, from) {
      if (body === null) throw new AssayError('invalid_input', 'The file is empty.')
      const held = memory.of(from)
      try {
        held.take(FILE_BYTES)
        yield* body
      } finally {
        held.release()
      }
    },
  }
}

const readUpTo = async (body: Request['body'], limits: BodyLimits, held: Held): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > limits.bytes) throw tooLarge(limits)
    held.take(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Throws `too_large` for a body that is declared as longer than may be. Who sends it need not be known. */
export const assertDeclared = ({ headers }: Request, limits: BodyLimits): void => {
  if (Number(headers.get('content-length') ?? '') > limits.bytes) throw tooLarge(limits)
}

/** `context` says which limit it is. */
export const tooLarge = ({ bytes }: BodyLimits): AssayError =>
  new AssayError('too_large', `The body is too large: at most ${bytes} bytes.`, { context: { exceeded: 'bytes' } })
