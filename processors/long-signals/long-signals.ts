import type { Logger } from '../../infra/runtime/logger.ts'
import type { InstallationKey } from '../../infra/runtime/secrets.ts'
import { createQuestionThread } from '../../infra/runtime/threads.ts'
import { isInBackground } from '../../infra/runtime/yielding.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Offload } from '../framework/pace.ts'

export interface LongQuestion {
  readonly step: StepName
  readonly signal: SignalRecord
}

export type LongAnswer = Awaited<ReturnType<Offload>>

export interface LongSignalsData {
  /** True when the operating system schedules the thread after others. */
  readonly givesWay: boolean
  readonly installationKey: InstallationKey
  readonly cpuBudgetMs: number
}

/**
 * Runs work of tens of milliseconds on threads of its own, so that the pipeline's thread stays free for ordinary
 * signals. Each thread runs one signal at a time. The bulk lane's thread has a lower priority than all others.
 */
export interface LongSignals {
  /** Runs a per-signal step within its CPU budget. */
  readonly runStep: Offload
  stop(): Promise<void>
}

/**
 * Deadline of a signal: longer than its CPU budget takes on a busy machine, shorter than the 10 s after which Kafka
 * drops a silent member.
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
