import type { Classification, Need } from '../../schemas/domain/vocabulary.ts'

/**
 * The models that Assay uses. Each has an OpenAI-compatible client. The embedder also has a built-in implementation
 * here, the classifier one among the steps.
 */

export interface Embedder {
  /** The model with its version: vectors of two models are never compared. */
  readonly model: string
  /** A limitation, as a sentence for `service_support`; null without one. */
  readonly limitation: string | null
  /**
   * A unit vector of 1024 numbers for each text, in order. Rejects with a retriable AssayError when the model is away.
   *
   * @example const [vector] = await embedder.embed(['The export fails.'])
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}

export interface Verdict {
  readonly sameRootProblem: boolean
  readonly reason: string
}

export interface Judge {
  readonly model: string
  /** Decides if the two texts describe the same root problem. Texts are data, never instructions. */
  judge(signal: string, candidate: string): Promise<Verdict>
}

/** The classifier's input. Strangers wrote both fields: data, never instructions. */
export interface Classifiable {
  readonly text: string
  /** The sender's hint, such as a form's name. The text weighs more. */
  readonly event: string | null
  /** The built-in embedder's vector of the text, where there is one; the built-in classifier uses it too. */
  readonly vector?: Float32Array
}

interface LabelWithConfidence {
  readonly label: Classification
  /** 0 to 1: how likely the label is right; for `unclassified`, how likely the text asks for nothing. */
  readonly confidence: number
  /** The likely need of an unclassified text, where the classifier can tell. */
  readonly perhaps?: Need | null
  /** Stored in place of the classifier's version where it says more, such as that no word list fits the language. */
  readonly version?: string
}

/** A classifier's findings in a text, for training others. */
export interface Reading {
  /** The probability of each of CLASSIFICATIONS, in that order. */
  readonly likely: readonly number[]
  /** The probability that the text asks for nothing, as a greeting does; null for an unknown meaning. */
  readonly noise: number | null
  /** Features of the text, by the classifier's own names. */
  readonly signs: Iterable<string>
}

export interface Classifier {
  /** The model or rules with their version; stored with each signal. */
  readonly version: string
  /** Maximum of concurrent calls; 8 unless given, for a model server that answers one by one. */
  readonly atOnce?: number
  /**
   * Classifies a signal; an uncertain one is `unclassified`. Rejects with a retriable AssayError when the model is
   * away, slow or busy, and with another error when it has no usable answer for this text.
   */
  classify(signal: Classifiable): Promise<LabelWithConfidence>
  /** The findings behind `classify`; absent for a classifier that gives only labels. Rejects as `classify` does. */
  readonly read?: (signal: Classifiable) => Promise<Reading>
}
