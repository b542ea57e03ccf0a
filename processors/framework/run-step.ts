import { AssayError } from '../../infra/runtime/errors.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { bisect } from './bisect.ts'
import type { AnyStep } from './chain.ts'
import type { Dead, Next, Retry, Skip, StepResult } from './results.ts'
import { classifyThrown } from './thrown.ts'

/** A step's result as the runtime acts on it: a failure also has a class to group by, and what was thrown, if anything was. */
export type Outcome = Next<Partial<SignalRecord>> | Skip | ((Retry | Dead) & Failure)

export interface Failure {
  readonly errorClass: string
  readonly cause?: unknown
}

const withClass = (result: StepResult<Partial<SignalRecord>>): Outcome => {
  if (result.kind === 'retry') return { ...result, errorClass: 'transient' }
  if (result.kind === 'dead') return { ...result, errorClass: result.fault === 'sender' ? 'invalid_input' : 'internal' }
  return result
}

const checkCount = (step: AnyStep, results: readonly unknown[], batch: readonly unknown[]): void => {
  if (results.length !== batch.length) {
    throw new AssayError(
      'internal',
      `The step '${step.name}' gave ${results.length} results for ${batch.length} signals.`,
    )
  }
}

/**
 * Runs a step over a batch and answers one outcome for each signal, in order. A throw that says "try again" makes the batch retry;
 * any other is traced down to the signals that cause it, which die as our fault while their neighbours go on.
 * Rejects only when a dependency is away: then nothing has an outcome, and the caller waits with the whole batch.
 */
export const runStep = async (step: AnyStep, batch: readonly SignalRecord[]): Promise<readonly Outcome[]> => {
  const outcomes = new Map<SignalRecord, Outcome>()
  let away: unknown = null

  await bisect(
    batch,
    async part => {
      if (away !== null) return
      // The chain has checked at compile time that the parts which the step needs are there when it runs in its place.
      const results = await step.run(part as readonly never[])
      checkCount(step, results, part)
      for (const [index, result] of results.entries()) {
        const signal = part[index]
        if (signal !== undefined) outcomes.set(signal, withClass(result))
      }
    },
    error => (classifyThrown(error).kind === 'data' ? 'items' : 'batch'),
    (signal, error) => {
      const { errorClass, message } = classifyThrown(error)
      outcomes.set(signal, { kind: 'dead', fault: 'ours', reason: message, errorClass, cause: error })
    },
    (part, error) => {
      const { kind, errorClass, message } = classifyThrown(error)
      if (kind === 'wait') away = error
      for (const signal of part) outcomes.set(signal, { kind: 'retry', reason: message, errorClass, cause: error })
    },
  )
  if (away !== null) throw away
  return batch.map(signal => {
    const outcome = outcomes.get(signal)
    if (outcome === undefined)
      throw new AssayError('internal', `The step '${step.name}' left a signal without a result.`)
    return outcome
  })
}
