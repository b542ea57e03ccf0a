import type { Transaction } from '../../infra/postgres/port.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'

/** A step that somebody paused in the whole installation. */
export interface PausedStep {
  readonly step: StepName
  /** Reason, for everybody whose signals wait. */
  readonly reason: string
  readonly paused_at: Date
}

// Without names, which only administrators may read: see the table's grants.
const PAUSED = 'select step, reason, paused_at from paused_steps order by paused_at, step'

export const pausedSteps = (transaction: Transaction): Promise<PausedStep[]> => transaction.query<PausedStep>(PAUSED)

const PAUSED_WITH_NAMES = `
  select step, reason, paused_at, case when $1 then paused_by end as paused_by from paused_steps`

/** Paused steps with the person who paused each; null for all unless `withNames`. */
export const pausedStepsBy = (
  transaction: Transaction,
  withNames: boolean,
): Promise<(PausedStep & { readonly paused_by: string | null })[]> => transaction.query(PAUSED_WITH_NAMES, [withNames])

const PAUSE = `
  insert into paused_steps (step, reason, paused_by) values ($1, $2, $3)
  on conflict (step) do nothing
  returning paused_at`

/** Pauses a step. Answers the time; undefined when the step is paused already. */
export const pauseStep = async (
  transaction: Transaction,
  step: StepName,
  { reason, by }: { readonly reason: string; readonly by: string },
): Promise<Date | undefined> => (await transaction.query<{ paused_at: Date }>(PAUSE, [step, reason, by]))[0]?.paused_at

const PAUSE_OF = 'select paused_by, reason from paused_steps where step = $1'

/** Person and reason of a pause; undefined without one. */
export const pauseOf = async (
  transaction: Transaction,
  step: StepName,
): Promise<{ readonly paused_by: string; readonly reason: string } | undefined> =>
  (await transaction.query<{ paused_by: string; reason: string }>(PAUSE_OF, [step]))[0]

const RESUME = 'delete from paused_steps where step = $1 returning step'

/** False when the step is not paused. */
export const resumeStep = async (transaction: Transaction, step: StepName): Promise<boolean> =>
  (await transaction.query(RESUME, [step])).length > 0
