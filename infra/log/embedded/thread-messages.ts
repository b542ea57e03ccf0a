import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode } from '../../runtime/errors.ts'

/** What starts the log's thread and what it and its owner tell each other. */

export interface ThreadOptions {
  readonly directory: string
  readonly retentionSweepMs: number
  readonly sessionTimeoutMs: number
  readonly rebalanceTimeoutMs: number
}

export type ToThread = { readonly kind: 'connect'; readonly port: MessagePort } | { readonly kind: 'stop' }

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  /** Something for the operator that no client is told. */
  | { readonly kind: 'report'; readonly message: string }
