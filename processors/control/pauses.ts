import type { Database } from '../../infra/postgres/port.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { waitFor } from '../../infra/runtime/promises.ts'
import { pausedSteps } from '../../model/pipeline/paused-steps.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Segment } from '../framework/pipeline.ts'
import { startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'

const EVERY_MS = 1000

export interface Pauses {
  /**
   * True while people pause a step of the segment. The whole segment stops then: its steps hand signals over in memory,
   * where nothing can wait.
   */
  isPaused(segment: Pick<Segment, 'steps'>): boolean
  stop(): Promise<void>
}

interface PausesOptions {
  readonly database: Database
  readonly observer: Observer
  readonly logger: Logger
  /** Poll interval, ms. */
  readonly intervalMs?: number
}

/**
 * Follows which steps people have paused. Resolves after the first answer of the database, so that a pause survives a
 * restart. While the database is away, the last known state holds.
 */
export const followPauses = async ({
  database,
  observer,
  logger,
  intervalMs = EVERY_MS,
}: PausesOptions): Promise<Pauses> => {
  let paused: ReadonlySet<StepName> = new Set()
  const look = async () => {
    const found = await database.transaction({ role: 'assay_accounts', isDivisible: true }, pausedSteps)
    paused = new Set(found.map(({ step }) => step))
  }
  await waitFor(look, { what: 'the database', logger })
  const polling = startPolling({
    what: 'Looking for paused steps',
    work: () => look().then(() => false),
    intervalMs,
    observer,
  })
  return {
    isPaused: ({ steps }) => steps.some(({ name }) => paused.has(name)),
    stop: polling.stop,
  }
}
