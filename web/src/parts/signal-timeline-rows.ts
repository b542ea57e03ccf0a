import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { Output } from '../api/operations.ts'
import { t } from '../language/messages.ts'

export type Trace = Output<'trace_signal'>
type TracedStep = Trace['steps'][number]

/** One attempt of a step on the signal. */
export interface Attempt extends TracedStep {
  /** Start and length, as shares of the whole time so far. */
  readonly begins: number
  readonly takes: number
}

export interface TimelineStep {
  readonly step: StepName
  /** In the order of time; empty when the signal never reached the step. */
  readonly attempts: readonly Attempt[]
}

/** Words for outcomes, the same everywhere. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  next: t('passed'),
  skip: t('repeat'),
  retry: t('retry'),
  dead: t('died'),
  dead_letter: t('dead letter'),
}

/** All steps with their attempts, on the time from the receipt to the last end. */
export const timelineOf = ({ steps, total_ms }: Trace): readonly TimelineStep[] => {
  const totalMs = Math.max(total_ms ?? 0, ...steps.map(({ elapsed_ms }) => elapsed_ms), 1)
  return STEPS.map(step => ({
    step,
    attempts: steps
      .filter(each => each.step === step)
      // A dead letter repeats the last attempt's death.
      .filter(({ outcome }, _, all) => outcome !== 'dead_letter' || all.every(other => other.outcome === 'dead_letter'))
      .map(each => {
        const takes = Math.min(1, each.duration_ms / totalMs)
        return { ...each, takes, begins: Math.max(0, Math.min(1 - takes, each.elapsed_ms / totalMs - takes)) }
      }),
  }))
}
