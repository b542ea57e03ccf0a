import type { TopicDefinition } from '../../infra/log/port.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import {
  ACTIVITY_TOPIC,
  DEAD_LETTERS_TOPIC,
  type Lane,
  METRIC_POINTS_TOPIC,
  retryTopic,
  signalsTopic,
} from '../../schemas/events/topics.ts'
import type { Partitioning, Pipeline } from './pipeline.ts'
import type { RetryDelay } from './retry-delays.ts'
import type { Segment } from './segment.ts'

export const LANES: readonly Lane[] = ['live', 'bulk']

/** The consumer group that serves a segment's lane. */
export const segmentGroup = (head: Segment['head'], lane: Lane): string =>
  lane === 'live' ? `assay.${head}` : `assay.${head}.bulk`

export const partitionKey = (signal: SignalRecord, spread: Partitioning): string =>
  spread === 'signal' ? signal.signal_id : signal.workspace_id

export interface TopicSettings {
  /** Partitions of each signals topic: how many processors can share a segment's work. */
  readonly signalPartitions: number
  readonly activityPartitions: number
  /** How long records that may hold personal data are kept. */
  readonly personalRetentionMs: number
  /** How long scrubbed records and activity are kept. */
  readonly retentionMs: number
}

/** Every topic that the segments and the sinks read and write. A retry may come from before scrub, so delay queues count as personal. */
export const pipelineTopics = (
  pipeline: Pipeline,
  delays: readonly RetryDelay[],
  settings: TopicSettings,
): readonly TopicDefinition[] => {
  const { signalPartitions, activityPartitions, personalRetentionMs, retentionMs } = settings
  return [
    ...pipeline.segments.flatMap(segment =>
      LANES.map(lane => ({
        name: signalsTopic(segment.head, lane),
        partitions: signalPartitions,
        retentionMs: pipeline.isPersonal(segment.head) ? personalRetentionMs : retentionMs,
      })),
    ),
    ...delays.map(delay => ({
      name: retryTopic(delay.name),
      partitions: 1,
      retentionMs: personalRetentionMs + delay.ms,
    })),
    { name: DEAD_LETTERS_TOPIC, partitions: 1, retentionMs: personalRetentionMs },
    { name: METRIC_POINTS_TOPIC, partitions: activityPartitions, retentionMs },
    { name: ACTIVITY_TOPIC, partitions: activityPartitions, retentionMs },
  ]
}
