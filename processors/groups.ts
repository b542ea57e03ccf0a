import type { StepName } from '../schemas/domain/vocabulary.ts'
import { topicMoverGroup } from './framework/mover.ts'
import { LANES, type RetryDelay, segmentGroup } from './framework/topics.ts'
import { ACTIVITY_GROUP } from './sinks/activity/activity.ts'
import { DEAD_LETTERS_GROUP } from './sinks/dead-letters/dead-letters.ts'

interface GroupSettings {
  readonly heads: readonly StepName[]
  readonly retryDelays: readonly RetryDelay[]
}

/**
 * The consumer groups that a signal and what is recorded of it pass through: while one of them is behind, something is
 * on its way.
 */
export const groupsOfSignals = ({ heads, retryDelays }: GroupSettings): readonly string[] => [
  ...heads.flatMap(head => LANES.map(lane => segmentGroup(head, lane))),
  ...retryDelays.map(topicMoverGroup),
  DEAD_LETTERS_GROUP,
  ACTIVITY_GROUP,
]
