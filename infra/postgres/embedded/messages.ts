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

export interface ToWorker {
  readonly type: 'stop'
}
