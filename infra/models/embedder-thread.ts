import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { AssayError, type ErrorCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { createBuiltInEmbedder } from './built-in-embedder.ts'
import type { Embedder } from './port.ts'

export interface EmbedQuestion {
  readonly id: number
  readonly texts: readonly string[]
}

export type EmbedAnswer = { readonly id: number } & (
  | {
      readonly kind: 'vectors'
      /** The vectors, one after another. */
      readonly numbers: Float32Array<ArrayBuffer>
    }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
)

/** Some 20 ms of work: nobody waits longer than that behind another caller's thousand texts. */
const TEXTS_A_QUESTION = 16
/** Questions that a caller has on the thread at once, so that it never waits for a busy asking thread. */
const AHEAD = 4
const HEAP_MEBIBYTES = 256

export interface EmbedderThread extends Embedder {
  /** Lets the thread finish what it has, and ends it. Ended in the middle of a text, it would end the process. */
  stop(): Promise<void>
}

/**
 * The built-in embedder on a thread of its own: a text takes more than a millisecond, a third of what the pipeline does
 * with a signal. The first text starts the thread. When the thread breaks, the texts on it fail with `internal` and the
 * next text starts another.
 */
export const createEmbedderThread = (logger: Pick<Logger, 'warn'>): EmbedderThread => {
  const { model, limitation } = createBuiltInEmbedder()
  const waiting = new Map<number, PromiseWithResolvers<EmbedAnswer> & { readonly thread: Worker }>()
  let worker: Worker | null = null
  let lastId = 0

  const start = (): Worker => {
    const started = new Worker(new URL('./embedder-thread-program.ts', import.meta.url), {
      name: 'embedder',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEBIBYTES },
    })
    started.on('message', (answer: EmbedAnswer) => {
      waiting.get(answer.id)?.resolve(answer)
      waiting.delete(answer.id)
    })
    // Logs only the error's kind: its message may quote a sender.
    started.on('error', error => logger.warn({ why: error.name }, 'the thread of the embedder broke'))
    started.on('exit', () => {
      if (worker === started) worker = null
      // Those of another thread, which the next text has started, are answered by that one.
      for (const [id, { thread, reject }] of waiting) {
        if (thread !== started) continue
        reject(new AssayError('internal', 'The embedder’s thread has ended.'))
        waiting.delete(id)
      }
    })
    return started
  }
  const embedFew = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    worker ??= start()
    lastId += 1
    const answered = { ...Promise.withResolvers<EmbedAnswer>(), thread: worker }
    waiting.set(lastId, answered)
    worker.postMessage({ id: lastId, texts } satisfies EmbedQuestion)
    const answer = await answered.promise
    if (answer.kind === 'refused') throw new AssayError(answer.code, answer.message)
    return texts.map((_, at) => answer.numbers.slice(at * EMBEDDING_DIMENSIONS, (at + 1) * EMBEDDING_DIMENSIONS))
  }
  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = []
    const most = TEXTS_A_QUESTION * AHEAD
    for (let from = 0; from < texts.length; from += most) {
      const few = Array.from({ length: AHEAD }, (_, at) => from + at * TEXTS_A_QUESTION)
        .filter(at => at < texts.length)
        .map(at => embedFew(texts.slice(at, Math.min(at + TEXTS_A_QUESTION, from + most))))
      for (const vector of (await Promise.all(few)).flat()) vectors.push(vector)
    }
    return vectors
  }
  return {
    ...{ model, limitation, embed },
    stop: async () => {
      const ending = worker
      worker = null
      if (ending === null) return
      const exited = once(ending, 'exit')
      ending.postMessage(null)
      await exited
    },
  }
}
