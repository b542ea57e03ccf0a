/** A store in memory that several programs share. May be away at any time, and may lose its content. */
export interface Valkey {
  /**
   * The client for a library with commands of its own, which reject within a fraction of a second. Use it only while
   * `answers()`.
   */
  readonly client: object
  /** False from the first failed command until Valkey answers again. */
  answers(): boolean
  /** Rejects with `unavailable` when Valkey is away. */
  assertAnswers(): Promise<void>
  /** Call when a command failed. */
  failed(error: unknown): void
  close(): void
}
