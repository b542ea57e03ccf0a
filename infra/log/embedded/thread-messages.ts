import type { MessagePort } from 'node:worker_threads'
import type { Started } from '../../runtime/worker.ts'

/** What starts the log's thread and what it and its owner tell each other. */

export interface ThreadOptions {
  readonly directory: string
  readonly retentionSweepMs: number
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
}

export type ToThread = { readonly kind: 'connect'; readonly port: MessagePort } | { readonly kind: 'stop' }

export type FromThread =
  | Started
  /** Something for the operator that no client is told. */
  | { readonly kind: 'report'; readonly message: string }
