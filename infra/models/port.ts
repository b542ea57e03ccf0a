import type { Classification } from '../../schemas/domain/vocabulary.ts'

/**
 * The models that Assay uses. Each has an OpenAI-compatible client; the embedder also has a built-in one, and a
 * classifier is among the steps.
 */

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

/** What is classified. Both were written by strangers: data, never instructions. */
export interface Classifiable {
  readonly text: string
  /** The sender's hint at what it is, such as the name of a form. The text weighs more. */
  readonly event: string | null
  /** The vector that the built-in embedder gave the text, where it did: the built-in classifier reads it, too. */
  readonly vector?: Float32Array
}

interface LabelWithConfidence {
  readonly label: Classification
  /** 0 to 1: how likely the label is right; of `unclassified`, how likely no other label is. */
  readonly confidence: number
  /**
   * Kept in place of the classifier's version where it says more of this answer, such as that no word list fits the
   * language.
   */
  readonly version?: string
}

/** What a classifier sees in a text, for others to learn from. */
export interface Reading {
  /** How likely each of CLASSIFICATIONS is, in that order. */
  readonly likely: readonly number[]
  /** What it found in the text, by names of its own. */
  readonly signs: Iterable<string>
}

export interface Classifier {
  /** Names the model or the rules, and their version; kept with each signal. */
  readonly version: string
  /** How many signals it is asked about at a time, 8 unless told: a model server answers them one by one. */
  readonly atOnce?: number
  /**
   * Says what a signal is; what it is not sure of, it leaves unclassified. Rejects with a retriable AssayError when the
   * model is away, slow or busy, and with another one when it gives no usable answer for this text.
   */
  classify(signal: Classifiable): Promise<LabelWithConfidence>
  /** What `classify` decides by; absent where a label is all that it gives. Rejects as that does. */
  readonly read?: (signal: Classifiable) => Promise<Reading>
}
