import type { StepName } from '../domain/vocabulary.ts'

/** Names of the log's topics; `docs/reference/pipeline.md` has their contents. */

export type Lane = 'live' | 'bulk'

export const signalsTopic = (head: StepName, lane: Lane = 'live'): string =>
  lane === 'live' ? `signals.${head}` : `signals.${head}.bulk`

export const retryTopic = (delay: string): string => `retry.${delay}`

export const DEAD_LETTERS_TOPIC = 'dead-letters'
export const ACTIVITY_TOPIC = 'activity'
export const METRIC_POINTS_TOPIC = 'metrics.points'

/** Headers that records carry between programs. */
export const HEADERS = {
  /** W3C Trace Context, https://www.w3.org/TR/trace-context/ */
  traceparent: 'traceparent',
  attempt: 'assay-attempt',
  /** For a retry: the topic that it returns to, and when (milliseconds since the epoch). */
  returnTo: 'assay-return-to',
  dueAt: 'assay-due-at',
  /** For a retry and a dead letter: the failed step and its error. */
  step: 'assay-step',
  errorClass: 'assay-error-class',
  errorMessage: 'assay-error-message',
  firstFailedAt: 'assay-first-failed-at',
  lastFailedAt: 'assay-last-failed-at',
  /** For a dead letter: one of `FAULTS`. */
  fault: 'assay-fault',
  /**
   * For a dead letter: `false` when the record is past the scrub step; with any other value it may hold personal data.
   */
  personal: 'assay-personal',
  /** Number of the signal's replays; absent before the first. Kept to the end of the pipeline. */
  replay: 'assay-replay',
} as const
