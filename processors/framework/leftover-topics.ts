import type { TopicDefinition } from '../../infra/log/port.ts'
import { retryTopic, signalsTopic } from '../../schemas/events/topics.ts'
import type { Pipeline, Segment } from './pipeline.ts'
import { LANES, parseRetryDelays, pipelineTopics, type RetryDelay, type TopicSettings } from './topics.ts'

/**
 * Topics that earlier settings left on the log: delay queues of other `RETRY_DELAYS`, and topics of steps that were
 * heads by other `PIPELINE_HEADS`. They may hold accepted records, so they are consumed for as long as they exist.
 */

const RETRY_PREFIX = retryTopic('')

/** Delays of the queues on the log. Topics of other programs are ignored. */
export const retryDelaysOf = (topics: readonly string[]): readonly RetryDelay[] =>
  topics
    .filter(topic => topic.startsWith(RETRY_PREFIX))
    .flatMap(topic => parseRetryDelays(topic.slice(RETRY_PREFIX.length)) ?? [])

/** Configured delays, then those of other queues on the log. */
export const delaysOf = (topics: readonly string[], delays: readonly RetryDelay[]): readonly RetryDelay[] => {
  const today = new Set(delays.map(({ name }) => name))
  return [...delays, ...retryDelaysOf(topics).filter(({ name }) => !today.has(name))]
}

/**
 * Segments that begin at a former head whose topic still exists. Each ends where today's segment of that step ends. A
 * record of such a topic has already passed the earlier steps, so it cannot begin at today's head.
 */
export const leftoverSegments = (topics: readonly string[], segments: Pipeline['segments']): readonly Segment[] => {
  const existing = new Set(topics)
  return segments.flatMap(({ steps, nextHead }) =>
    steps.flatMap(({ name }, place) => {
      const isLeft = place > 0 && LANES.some(lane => existing.has(signalsTopic(name, lane)))
      return isLeft ? [{ head: name, steps: steps.slice(place), nextHead }] : []
    }),
  )
}

/** Every topic of a pipeline: those that it needs, then those that earlier settings left among the log's `topics`. */
export const topicsWithLeftover = (
  pipeline: Pick<Pipeline, 'segments' | 'isPersonal'>,
  settings: TopicSettings & { readonly retryDelays: readonly RetryDelay[] },
  topics: readonly string[],
): readonly TopicDefinition[] => {
  const segments = [...pipeline.segments, ...leftoverSegments(topics, pipeline.segments)]
  return pipelineTopics({ ...pipeline, segments }, delaysOf(topics, settings.retryDelays), settings)
}
