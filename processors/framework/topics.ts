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
import type { Partitioning, Pipeline, Segment } from './pipeline.ts'

/** A delay queue. Its name is the last part of its topic, such as `10s` of `retry.10s`. */
export interface RetryDelay {
  readonly name: string
  readonly ms: number
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const DELAY = /^([1-9]\d{0,5})(ms|s|m|h)$/

/**
 * Reads delays such as `10s,1m,10m`: each failure waits for the next delay. After the last delay a failing signal
 * becomes a dead letter. Undefined when a delay is malformed.
 */
export const parseRetryDelays = (text: string): readonly RetryDelay[] | undefined => {
  const delays: RetryDelay[] = []
  for (const name of text.split(',').map(part => part.trim())) {
    const [, count, unit] = DELAY.exec(name) ?? []
    if (count === undefined || unit === undefined) return undefined
    // The expression allows no other unit.
    delays.push({ name, ms: Number(count) * UNITS[unit as keyof typeof UNITS] })
  }
  return delays
}

export const LANES: readonly Lane[] = ['live', 'bulk']

export const segmentGroup = (head: Segment['head'], lane: Lane): string =>
  lane === 'live' ? `assay.${head}` : `assay.${head}.bulk`

export const partitionKey = (signal: SignalRecord, spread: Partitioning): string =>
  spread === 'signal' ? signal.signal_id : signal.workspace_id

export interface TopicSettings {
  /** Partitions of each signals topic: the number of processors that can share a segment's work. */
  readonly signalPartitions: number
  readonly activityPartitions: number
  /** Retention of records that may hold personal data. */
  readonly personalRetentionMs: number
  /** Retention of scrubbed records and activity. */
  readonly retentionMs: number
}

/**
 * Every topic of the segments and the sinks. A retry may come from a step before scrub, so delay queues count as
 * personal.
 */
export const pipelineTopics = (
  pipeline: Pick<Pipeline, 'segments' | 'isPersonal'>,
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
