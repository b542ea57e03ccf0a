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

/** The only reader of request bodies in the query API. */
export interface BodyDoor {
  /**
   * A request's body as JSON, undefined when it is empty, and its length. Rejects with `unsupported` when the body is
   * not declared as JSON (another site's page cannot send JSON without a preflight), `rate_limited` while the sender's
   * budget is used up or their present bodies take their part of the memory, `too_large` beyond the limits, and
   * `invalid_input` for invalid JSON.
   */
  json(request: Request, from: BodySender, limits: BodyLimits): Promise<ReadBody>
  /**
   * The bytes of a file, as they come. Throws `invalid_input` without a body, and `rate_limited` while the sender's
   * present bodies take their part of the memory.
   */
  file(request: Request, from: BodySender): AsyncGenerator<Uint8Array>
}

/** Larger bodies are read on a worker thread: they would block the main thread for some 10 ms. */
const LARGE_BYTES = 256 * 1024
/** A body of this size takes less than 2 ms, whatever its content. */
const SMALL_BYTES = 4 * 1024
/** Memory of a file: the piece that is being stored, and the next one. */
const FILE_BYTES = 2 * PIECE_BYTES

export const createBodyDoor = (budget: BodyBudget, worker: Worker): BodyDoor => {
  const memory = createBodyMemory()
  let last: Promise<unknown> = Promise.resolve()
  /** Parses one larger body in each turn of the event loop, so that other requests are served between. */
  const ownTurn = (): Promise<unknown> => {
    last = last.then(() => setImmediate())
    return last
  }
  const read = async (request: Request, from: BodySender, limits: BodyLimits, held: Held): Promise<ReadBody> => {
    const declared = request.headers.get('content-length') ?? ''
    // No server reads beyond a declared length. Reading without a stream makes a call a third cheaper.
    const isBounded = /^\d+$/.test(declared) && !request.headers.has('transfer-encoding')
    if (isBounded) held.take(Number(declared))
    const bytes = isBounded ? new Uint8Array(await request.arrayBuffer()) : await readUpTo(request.body, limits, held)
    budget.takeBytes(from, bytes.byteLength)
    if (bytes.byteLength > limits.bytes) throw tooLarge(limits)
    if (bytes.byteLength > LARGE_BYTES && from.tenant !== null)
      return { value: await worker.run(from.tenant, 'json', { bytes, limits }), bytes: bytes.byteLength }
    if (bytes.byteLength > SMALL_BYTES) await ownTurn()
    // Checked again: concurrent bodies of the sender may have used up the budget.
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
      // Checked before the body is read: a refusal costs the sender's other requests nothing.
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

/** Throws `too_large` for a declared length above the limit. Needs no sender. */
export const assertDeclared = ({ headers }: Request, limits: BodyLimits): void => {
  if (Number(headers.get('content-length') ?? '') > limits.bytes) throw tooLarge(limits)
}

/** `context` names the exceeded limit. */
export const tooLarge = ({ bytes }: BodyLimits): AssayError =>
  new AssayError('too_large', `The body is too large: at most ${bytes} bytes.`, { context: { exceeded: 'bytes' } })
