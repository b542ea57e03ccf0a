import { STEPS, type StepName } from '../../../schemas/domain/vocabulary.ts'
import type { Output } from '../api/operations.ts'
import { t } from '../language/messages.ts'

export type Trace = Output<'trace_signal'>
type TracedStep = Trace['steps'][number]

/** One time that a step worked on the signal. */
export interface Attempt extends TracedStep {
  /** Where it begins and how long it is, as shares of the whole way so far. */
  readonly begins: number
  readonly takes: number
}

export interface TimelineStep {
  readonly step: StepName
  /** In the order of time; empty where the signal never came. */
  readonly attempts: readonly Attempt[]
}

/** What was made of an attempt, the same word wherever its outcome is shown. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  next: t('passed'),
  skip: t('repeat'),
  retry: t('retry'),
  dead: t('died'),
  dead_letter: t('dead letter'),
}

/** All steps with every attempt at each, against the time from the receipt to the end of the last. */
export const timelineOf = ({ steps, total_ms }: Trace): readonly TimelineStep[] => {
  const totalMs = Math.max(total_ms ?? 0, ...steps.map(({ elapsed_ms }) => elapsed_ms), 1)
  return STEPS.map(step => ({
    step,
    attempts: steps
      .filter(each => each.step === step)
      // A dead letter tells the same death once more.
      .filter(({ outcome }, _, all) => outcome !== 'dead_letter' || all.every(other => other.outcome === 'dead_letter'))
      .map(each => {
        const takes = Math.min(1, each.duration_ms / totalMs)
        return { ...each, takes, begins: Math.max(0, Math.min(1 - takes, each.elapsed_ms / totalMs - takes)) }
      }),
  }))
}
