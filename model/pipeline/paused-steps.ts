import type { Transaction } from '../../infra/postgres/port.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'

/** A step that somebody holds still in the whole installation. */
export interface PausedStep {
  readonly step: StepName
  /** Why, for everybody whose signals wait. */
  readonly reason: string
  readonly paused_at: Date
}

// Without who did it, which is for those alone who may: see the grants of the table.
const PAUSED = 'select step, reason, paused_at from paused_steps order by paused_at, step'

export const pausedSteps = (transaction: Transaction): Promise<PausedStep[]> => transaction.query<PausedStep>(PAUSED)
