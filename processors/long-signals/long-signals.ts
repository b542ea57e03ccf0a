import type { Logger } from '../../infra/runtime/logger.ts'
import type { InstallationKey } from '../../infra/runtime/secrets.ts'
import { createQuestionThread } from '../../infra/runtime/threads.ts'
import { isInBackground } from '../../infra/runtime/turns.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { RunApart } from '../framework/pace.ts'

export interface LongQuestion {
  readonly step: StepName
  readonly signal: SignalRecord
}

export type LongAnswer = Awaited<ReturnType<RunApart>>

export interface LongSignalsData {
  /** Whether the operating system serves the thread after the others. */
  readonly givesWay: boolean
  readonly installationKey: InstallationKey
  readonly cpuBudgetMs: number
}

/**
 * What takes tens of milliseconds of a processor, on threads of its own: the pipeline's thread is free for everybody's
 * ordinary signals meanwhile. One at a time, and that of the bulk lane gives way to all other threads, so that nobody's
 * long ones take more than that.
 */
export interface LongSignals {
  /** Runs a step that looks at each signal alone, within its budget of CPU. */
  readonly runStep: RunApart
  stop(): Promise<void>
}

/**
 * Longer than any budget of CPU takes on a machine that is not hopeless; Kafka waits for 10 s for a member that is
 * silent.
 */
const DEADLINE_MS = 8_000
const HEAP_MEBIBYTES = 512
const BUSY = 'The thread for long signals did not answer.'

export const createLongSignals = (
  settings: Omit<LongSignalsData, 'givesWay'>,
  logger: Pick<Logger, 'warn'>,
  deadlineMs = DEADLINE_MS,
): LongSignals => {
  const startThread = (name: string, givesWay: boolean) =>
    createQuestionThread<LongQuestion, LongAnswer>({
      file: new URL('./thread.ts', import.meta.url),
      name,
      data: { ...settings, givesWay } satisfies LongSignalsData,
      heapMebibytes: HEAP_MEBIBYTES,
      deadlineMs,
      logger,
    })
  const live = startThread('long signals', false)
  const bulk = startThread('long signals, bulk', true)

  return {
    runStep: async (step, signal) => {
      const answered = await (isInBackground() ? bulk : live).ask({ step, signal })
      return answered.kind === 'answered' ? answered.answer : { kind: 'retry', reason: BUSY, errorClass: 'busy' }
    },
    stop: async () => void (await Promise.all([live.stop(), bulk.stop()])),
  }
}
