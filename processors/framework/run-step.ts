import { isTooCostly, LONG_CHARACTERS, partSizeOf, withBudget, withinPart } from '../../infra/runtime/cpu-budget.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { counted } from '../../schemas/domain/for-people.ts'
import type { Content, SignalRecord } from '../../schemas/events/signal.ts'
import type { Pace } from './pace.ts'
import type { ErasedStep } from './pipeline.ts'
import type { Outcome, StepResult } from './step.ts'
import { type BisectStrategy, bisect, classifyThrown } from './thrown.ts'

const DEAD_CLASSES = {
  sender: 'invalid_input',
  ours: 'internal',
  too_costly: 'too_costly',
  automatic: 'automatic',
} as const

const withClass = (result: StepResult<Partial<SignalRecord>>): Outcome => {
  if (result.kind === 'retry') return { ...result, errorClass: 'transient' }
  if (result.kind === 'dead') return { ...result, errorClass: result.errorClass ?? DEAD_CLASSES[result.fault] }
  return result
}

const checkCount = (step: ErasedStep, results: readonly unknown[], batch: readonly unknown[]): void => {
  if (results.length !== batch.length) {
    throw new AssayError(
      'internal',
      `The step '${step.name}' gave ${results.length} results for ${counted(batch.length, 'signal')}.`,
    )
  }
}

/**
 * Runs a step over a batch. Answers one outcome for each signal in order, or for the first signals alone when a
 * per-signal step has used the batch's time. A retriable error makes the batch retry. Any other error is traced to the
 * signals that cause it: they die as our fault or as too costly, and their neighbours go on. Rejects only when a
 * dependency is away or the partition is lost; then nothing has an outcome, and the caller waits with the whole batch.
 */
export const runStep = async (
  step: ErasedStep,
  batch: readonly SignalRecord[],
  pace: Pace,
): Promise<readonly Outcome[]> => {
  if (!step.isPerSignal) {
    await pace.checkpoint()
    return runPart(step, batch, pace)
  }
  const outcomes: Outcome[] = []
  const size = partSizeOf(step)
  while (outcomes.length < batch.length) {
    await pace.checkpoint()
    if (outcomes.length > 0 && pace.isSpent()) break
    const rest = batch.slice(outcomes.length, outcomes.length + size.next())
    const [first] = rest
    if (pace.offload !== null && first !== undefined && isLong(first)) {
      outcomes.push(await pace.offload(step.name, first))
      continue
    }
    const firstLong = pace.offload === null ? -1 : rest.findIndex(isLong)
    const part = firstLong === -1 ? rest : rest.slice(0, firstLong)
    const started = performance.now()
    try {
      outcomes.push(...(await runPart(step, part, pace)))
      size.took(part.length, performance.now() - started)
    } catch (error) {
      // A part of one signal never gets here: a costly signal alone has an outcome.
      if (!isTooCostly(error)) throw error
      size.shrink()
    }
  }
  return outcomes
}

const isLong = ({ received, content }: SignalRecord): boolean => {
  const ofContent = content === null ? 0 : charactersOf(content)
  return (received?.body.length ?? 0) + ofContent >= LONG_CHARACTERS
}

const charactersOf = ({ text, metadata, cut_signature, cut_quoted, cut_footer }: Content): number =>
  [text, metadata, cut_signature, cut_quoted, cut_footer].reduce((sum, part) => sum + (part?.length ?? 0), 0)

/** Also rejects with `too_costly` when a part of several signals is too costly and can be cut further. */
const runPart = async (step: ErasedStep, batch: readonly SignalRecord[], pace: Pace): Promise<readonly Outcome[]> => {
  const outcomes = new Map<SignalRecord, Outcome>()
  const canBeCut = step.isPerSignal === true && batch.length > 1
  let halted: unknown = null

  await bisect(
    batch,
    async part => {
      if (halted !== null) return
      if (part !== batch) await pace.checkpoint()
      // The chain has checked at compile time that the fields of the step are there.
      const run = () => step.run(part as readonly never[])
      // A step that awaits others is not ended in the middle: its open calls would fail with nobody to hear the
      // failure, which ends the process, and the calls would be sent again.
      const results = await withBudget(pace.cpuBudgetMs, () =>
        step.isPerSignal ? withinPart(part.length, pace.cpuBudgetMs, run) : run(),
      )
      checkCount(step, results, part)
      for (const [index, result] of results.entries()) {
        const signal = part[index]
        if (signal !== undefined) outcomes.set(signal, withClass(result))
      }
    },
    error => blameOf(error, canBeCut),
    (signal, error) => {
      const { errorClass, message } = classifyThrown(error)
      const fault = isTooCostly(error) ? 'too_costly' : 'ours'
      outcomes.set(signal, { kind: 'dead', fault, reason: message, errorClass, cause: error })
    },
    (part, error) => {
      const { kind, errorClass, message } = classifyThrown(error)
      if (kind === 'wait' || isLost(error) || isTooCostly(error)) halted = error
      for (const signal of part) outcomes.set(signal, { kind: 'retry', reason: message, errorClass, cause: error })
    },
  )
  if (halted !== null) throw halted
  return batch.map(signal => {
    const outcome = outcomes.get(signal)
    if (outcome === undefined)
      throw new AssayError('internal', `The step '${step.name}' left a signal without a result.`)
    return outcome
  })
}

const blameOf = (error: unknown, canBeCut: boolean): BisectStrategy => {
  if (isTooCostly(error)) return canBeCut ? 'batch' : 'each'
  return classifyThrown(error).kind === 'data' ? 'items' : 'batch'
}

const isLost = (error: unknown): boolean => isAssayError(error) && error.code === 'partition_lost'
