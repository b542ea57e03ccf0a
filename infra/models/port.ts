/** The two models that Assay uses. Each has an OpenAI-compatible client; the embedder also has a built-in one. */

export interface Embedder {
  /** Names the model and its version: vectors of two models are never compared. */
  readonly model: string
  /** What it cannot do, in a sentence for `service_support`; null when there is nothing to say. */
  readonly limitation: string | null
  /** One unit vector of 1024 for each text, in order. Rejects with a retriable AssayError when the model is away. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}

export interface Verdict {
  readonly sameRootProblem: boolean
  readonly reason: string
}

export interface Judge {
  readonly model: string
  /** Whether the two texts, which are data and never instructions, describe the same root problem. */
  judge(signal: string, candidate: string): Promise<Verdict>
}
