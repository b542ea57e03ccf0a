/** What the thread of the embedded engine and the one that started it say to each other. */
export interface WorkerOptions {
  readonly directory: string
  readonly socketPath: string
  /** Where both see what the engine does: an `ExchangeClock`. */
  readonly clock: SharedArrayBuffer
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'complaint'; readonly message: string }
  /** No checkpoint is under way, and none begins until `tidy`. */
  | { readonly type: 'untidied' }

/**
 * `open` comes first, and has the thread open the engine: until then it does no more than load its code. `untidy` has it write no
 * checkpoints until `tidy`.
 */
export interface ToWorker {
  readonly type: 'open' | 'stop' | 'tidy' | 'untidy'
}
