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
   * Whether people hold a step of the segment still. All of it stands then: its steps hand over in memory, where
   * nothing can wait.
   */
  isPaused(segment: Pick<Segment, 'steps'>): boolean
  stop(): Promise<void>
}

interface PausesOptions {
  readonly database: Database
  readonly observer: Observer
  readonly logger: Logger
  /** How often to look, in milliseconds. */
  readonly intervalMs?: number
}

/**
 * Follows which steps people hold still. Resolves once it is known, so that what was paused before a restart stays so;
 * waits for the database for that. While the database is away, what was known last holds.
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
