import type { Worker } from 'node:worker_threads'
import { AssayError, type ErrorCode } from './errors.ts'

/** The first message of a thread of ours: it runs, or it says why it cannot. */
export type Started =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }

/** Resolves once the thread runs. Rejects with what it refused to start for, or with the error that ended it. */
export const started = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: Started) => {
      worker.off('error', reject)
      if (message.kind === 'refused') reject(new AssayError(message.code, message.message))
      else resolve()
    })
  })
