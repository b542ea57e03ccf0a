import type { StepName } from '../domain/vocabulary.ts'

/** Names of the log's topics. What each holds: see `docs/reference/pipeline.md`. */

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
  /** Of a retry: the topic that it returns to, and when (milliseconds since the epoch). */
  returnTo: 'assay-return-to',
  dueAt: 'assay-due-at',
  /** Of a retry and a dead letter: what failed. */
  step: 'assay-step',
  errorClass: 'assay-error-class',
  errorMessage: 'assay-error-message',
  firstFailedAt: 'assay-first-failed-at',
  lastFailedAt: 'assay-last-failed-at',
  /** Of a dead letter: `sender`, `ours` or `transient`. */
  fault: 'assay-fault',
  /** Of a dead letter: `false` when the record is past scrub. Anything else means that it may hold personal data. */
  personal: 'assay-personal',
  /** How often the signal was replayed; absent before the first time. Travels with it to the end of the pipeline. */
  replay: 'assay-replay',
} as const
