import { Worker } from 'node:worker_threads'
import { AssayError, type ErrorCode } from '../infra/runtime/errors.ts'
import type { LogLevel } from '../infra/runtime/logger.ts'
import { type Started, started } from '../infra/runtime/threads.ts'
import type { TelemetrySettings } from '../infra/telemetry/config.ts'
import type { GroupHealth } from './framework/health.ts'
import type { ProcessorsConnections } from './main.ts'

/** What starts the processors' thread, and what it and its owner tell each other. */

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

/** What each question is answered with. */
export interface Answers {
  readonly health: readonly GroupHealth[]
  /** In Prometheus' text format. */
  readonly metrics: string
  readonly stop: null
}

export interface ProcessorsThread {
  /** What each consumer group is doing. */
  health(): Promise<readonly GroupHealth[]>
  /** The thread's metrics in Prometheus' text format. */
  metrics(): Promise<string>
  /** Lets the batches under way finish, closes the thread's connections and ends it; one that has ended is left. */
  stop(): Promise<void>
}

/**
 * Starts the processors on a thread of their own, with connections of their own. Rejects with what the thread could not
 * start for. A later failure of the thread is thrown where nobody catches it: nothing is lost by it, and the process
 * can be started again.
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
      // A thread that has ended hears nothing.
      if (hasEnded) return reject(ended())
      lastId += 1
      pending.set(lastId, reply => {
        // The thread answers each question with what `Answers` says.
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
      // What it still tries, such as to tell a collector that is away, would keep it for the tries' own time.
      await ask('stop').finally(() => worker.terminate())
    },
  }
}
