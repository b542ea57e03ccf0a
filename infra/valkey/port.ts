/** A store in memory that several programs share, and that may be away at any moment: what is in it is worth losing. */
export interface Valkey {
  /**
   * For a library that brings its own commands; they reject within a fraction of a second. Only for use while
   * `answers`.
   */
  readonly client: object
  /** False from the first command that failed until it answers again. */
  answers(): boolean
  /** Rejects with `unavailable` when it does not. */
  assertAnswers(): Promise<void>
  /** To be told when a command failed. */
  failed(error: unknown): void
  close(): void
}
