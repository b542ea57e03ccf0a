import type { Transaction } from '../../infra/postgres/port.ts'
import { LESSON_COUNTS } from './lessons.ts'

/** How far a workspace has taught its classifier. */
export interface LearningProgress {
  /** Lessons that there are now, and those of them that are corrections. */
  readonly lessons: number
  readonly corrections: number
  /** The lessons that the last fit learned from; 0 before the first. */
  readonly learned_from: number
  readonly learned_at: Date | null
  /**
   * Of the newest of these, how many it was asked about by a fit that had not seen them, and how many answers were
   * right.
   */
  readonly asked: number
  readonly answered_right: number
  /** How much it says beside the built-in classifier, from 0 to 1. */
  readonly weight: number
  /** Whether an owner lets it speak. */
  readonly learns: boolean
}

const READ = `
  select counted.lessons, counted.corrections, workspaces.learns, known.learned_at,
    coalesce(known.lessons, 0) as learned_from, coalesce(known.asked, 0) as asked,
    coalesce(known.answered_right, 0) as answered_right, coalesce(known.weight, 0) as weight
  from workspaces
  cross join lateral (${LESSON_COUNTS}) as counted
  left join learned_classifiers as known on known.workspace_id = workspaces.id`

/** Of the transaction's workspace. */
export const readLearningProgress = async (transaction: Transaction): Promise<LearningProgress> => {
  const [progress] = await transaction.query<LearningProgress>(READ)
  if (progress === undefined) throw new Error('The workspace of the transaction is not visible in it.')
  return progress
}
