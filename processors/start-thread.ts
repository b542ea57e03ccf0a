import { Worker } from 'node:worker_threads'
import { AssayError, type ErrorCode } from '../infra/runtime/errors.ts'
import type { LogLevel } from '../infra/runtime/logger.ts'
import { type Started, started } from '../infra/runtime/threads.ts'
import type { TelemetrySettings } from '../infra/telemetry/config.ts'
import type { GroupHealth } from './framework/health.ts'
import type { ProcessorsConnections } from './main.ts'

/** Starts the processors' thread. The types are the messages between the thread and its owner. */

export interface ThreadOptions extends ProcessorsConnections {
  readonly logLevel: LogLevel
  readonly telemetry: TelemetrySettings
}

export interface ThreadRequest {
  readonly id: number
  readonly ask: 'health' | 'metrics' | 'stop'
}

type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: ErrorCode; readonly message: string }

export type FromThread = Reply | Started

/** The answer to each question. */
export interface Answers {
  readonly health: readonly GroupHealth[]
  /** Prometheus text format. */
  readonly metrics: string
  readonly stop: null
}

export interface ProcessorsThread {
  health(): Promise<readonly GroupHealth[]>
  /** Metrics of the thread in the Prometheus text format. */
  metrics(): Promise<string>
  /**
   * Finishes the running batches, closes the thread's connections and ends the thread. Does nothing when the thread has
   * ended.
   */
  stop(): Promise<void>
}

/**
 * Starts the processors on a thread with connections of its own. Rejects with the thread's error when the start fails.
 * A later failure of the thread is thrown as an uncaught error: nothing is lost, and the process can be started again.
 */
export const startProcessorsThread = async (options: ThreadOptions): Promise<ProcessorsThread> => {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: options,
    transferList: options.log.kind === 'embedded' ? [options.log.port] : [],
    name: 'processors',
  })
  await started(worker)

  const pending = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  worker.on('message', (message: FromThread) => {
    if (!('id' in message)) return
    pending.get(message.id)?.(message)
    pending.delete(message.id)
  })
  let hasEnded = false
  const ended = () => new AssayError('unavailable', 'The processors have stopped.')
  worker.once('exit', () => {
    hasEnded = true
    const { code, publicMessage: message } = ended()
    for (const [id, answer] of pending) answer({ kind: 'failure', code, message, id })
    pending.clear()
  })
  const ask = <Name extends ThreadRequest['ask']>(name: Name): Promise<Answers[Name]> =>
    new Promise((resolve, reject) => {
      // A message to an ended thread would have no answer.
      if (hasEnded) return reject(ended())
      lastId += 1
      pending.set(lastId, reply => {
        // The thread answers each question with its type in `Answers`.
        if (reply.kind === 'answer') resolve(reply.answer as Answers[Name])
        else reject(new AssayError(reply.code, reply.message))
      })
      worker.postMessage({ id: lastId, ask: name } satisfies ThreadRequest)
    })

  return {
    health: () => ask('health'),
    metrics: () => ask('metrics'),
    stop: async () => {
      if (hasEnded) return
      // Open tries, such as an export to an absent collector, would keep the thread alive.
      await ask('stop').finally(() => worker.terminate())
    },
  }
}
