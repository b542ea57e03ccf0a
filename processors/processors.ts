import type { Analytics } from '../infra/clickhouse/port.ts'
import type { Codec } from '../infra/log/codec.ts'
import type { Consumer, Log } from '../infra/log/port.ts'
import type { Database } from '../infra/postgres/port.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { waitFor } from '../infra/runtime/promises.ts'
import type { Sealer } from '../infra/runtime/secrets.ts'
import type { ActivityRecord } from '../schemas/events/activity.ts'
import type { MetricPointRecord } from '../schemas/events/metric-point.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'
import type { ProcessorSettings } from './config.ts'
import { followPauses } from './control/pauses.ts'
import { createFigures, observeBoth, startReporting, watchModels } from './control/report.ts'
import { createHealth, type GroupHealth, leaveWhileUnreadable, type WatchedGroup } from './framework/health.ts'
import { hostSegment } from './framework/host-segment.ts'
import { createLaneScheduler } from './framework/lane-scheduler.ts'
import { delaysOf, leftoverSegments, topicsWithLeftover } from './framework/leftover-topics.ts'
import { createObserver, measureGroups } from './framework/metrics.ts'
import { hostTopicMover, topicMoverGroup } from './framework/mover.ts'
import type { Offload } from './framework/pace.ts'
import type { Pipeline, Segment } from './framework/pipeline.ts'
import { LANES, segmentGroup } from './framework/topics.ts'
import { createBreaker } from './framework/wait-for-dependency.ts'
import { createCalibrateJob } from './jobs/calibrate/calibrate.ts'
import { createCheckImportJob } from './jobs/check-import/check-import.ts'
import { createEraseJob } from './jobs/erase/erase.ts'
import { createExportJob } from './jobs/export/export.ts'
import { createFindThemesJob } from './jobs/find-themes/find-themes.ts'
import { startFollowingImports } from './jobs/follow-imports.ts'
import { createImportJob } from './jobs/import/import.ts'
import type { JobDefinition } from './jobs/job-kind.ts'
import { startKeepingThemes } from './jobs/keep-themes.ts'
import { createLearnJob } from './jobs/learn/learn.ts'
import { startMaintenance } from './jobs/maintenance.ts'
import { createReAnchorJob } from './jobs/re-anchor/re-anchor.ts'
import { createReEmbedJob } from './jobs/re-embed/re-embed.ts'
import { createReJudgeJob } from './jobs/re-judge/re-judge.ts'
import { createReScrubJob } from './jobs/re-scrub/re-scrub.ts'
import { createReplayJob } from './jobs/replay/replay.ts'
import { createReviewJob } from './jobs/review/review.ts'
import { startJobRunner } from './jobs/runner.ts'
import { createTakeOutJob } from './jobs/take-out/take-out.ts'
import { ACTIVITY_GROUP, hostActivity } from './sinks/activity/activity.ts'
import { DEAD_LETTERS_GROUP, hostDeadLetters } from './sinks/dead-letters/dead-letters.ts'
import { startRedrive } from './sinks/dead-letters/redrive.ts'
import { hostMetrics, METRICS_GROUP } from './sinks/metrics/metrics.ts'
import { startOutboxRelay } from './sinks/outbox/outbox.ts'
import { createTopology, type StepDependencies } from './topology.ts'

export interface ProcessorsOptions extends StepDependencies {
  readonly log: Log
  readonly signalCodec: Codec<SignalRecord>
  readonly activityCodec: Codec<ActivityRecord>
  readonly metricPointCodec: Codec<MetricPointRecord>
  readonly database: Database
  readonly analytics: Analytics
  /** Seals dead letters that may hold personal data, and unseals them for a replay. */
  readonly sealer: Sealer
  /** True when a process rewrites the stores' files after an erasure. Default: false. */
  readonly rewritesFiles?: boolean
  readonly settings: ProcessorSettings
  readonly logger: Logger
  readonly metrics: Metrics
  /** Runs long signals on another thread; null runs them on this one. */
  readonly apart: Offload | null
  /** Rejects while a store cannot be used, such as a database that lacks migrations. Called until it resolves. */
  readonly assertReady: () => Promise<void>
}

export interface Processors {
  /** State of each consumer group. Rejects with `unavailable` when the log is away. */
  health(): Promise<readonly GroupHealth[]>
  /** Finishes the running batches, then gives the partitions up. Leaves the given ports open. */
  stop(): Promise<void>
}

/**
 * A longer batch is cut where its step allows that: finished records are committed, and a stop has little to wait for.
 */
const BATCH_MS = 2000
const BREAKER = { firstMs: 500, maxMs: 30_000 }
/** A signal every few seconds counts as live work. */
const LANE_SHARE = { idleAfterMs: 5000, bulkPart: 0.1, now: () => performance.now() }
const STUCK_AFTER_MS = 60_000

/**
 * Starts the pipeline and the sinks. Waits while the log and the stores are away. Rejects with `invalid_configuration`
 * when the heads do not fit the steps.
 */
export const startProcessors = async (given: ProcessorsOptions): Promise<Processors> => {
  const now = Date.now
  const models = watchModels(given, now)
  const { settings, logger, metrics } = given
  const log = leaveWhileUnreadable(given.log, logger)
  const options: ProcessorsOptions = { ...given, log, embedder: models.embedder, judge: models.judge }
  const pipeline = createTopology(options, settings.heads)
  const chosen = hostedSegments(pipeline, settings)
  const { retryDelays: delays } = settings
  await waitFor(options.assertReady, { what: 'the stores', logger })
  const existing = await waitFor(() => log.topics(), { what: 'the log', logger })
  const queues = delaysOf(existing, delays)
  const topics = topicsWithLeftover(pipeline, settings, existing)
  await waitFor(() => log.ensureTopics(topics), { what: 'the log', logger })
  const hosted = [...chosen, ...leftoverSegments(existing, chosen)]
  // A member without the schemas would block partitions that others could work on.
  const codecs = [options.signalCodec, options.activityCodec, options.metricPointCodec]
  await waitFor(() => Promise.all(codecs.map(codec => codec.ready())), { what: 'the schema registry', logger })

  // Checks at the start whether the embedding model has changed, before the first signal.
  void options.embedder.embed(['test']).catch(() => {})
  const figures = createFigures(now)
  const observer = observeBoth(
    createObserver(metrics, (message, facts) => logger.warn(facts, message)),
    figures,
  )
  const pauses = await followPauses({ ...options, observer })
  const breaker = () => createBreaker(BREAKER)
  const watched: WatchedGroup[] = []
  const joins: (() => Promise<Consumer>)[] = []
  const host = (group: WatchedGroup, join: () => Promise<Consumer>): void => {
    watched.push(group)
    joins.push(join)
  }

  const pace = { cpuBudgetMs: settings.stepCpuBudgetMs, batchMs: BATCH_MS, apart: given.apart }
  const share = createLaneScheduler(LANE_SHARE)
  for (const segment of hosted) {
    const shared = { pace, ...options, pipeline, segment, delays, observer, now }
    const isPaused = () => pauses.isPaused(segment)
    const waiting = { breaker: breaker(), share, isPaused }
    for (const lane of LANES) {
      const maxRecords = lane === 'live' ? settings.batchRecords : settings.bulkBatchRecords
      const group = { group: segmentGroup(segment.head, lane), breaker: waiting.breaker, delays: false, isPaused }
      host(group, () => hostSegment({ ...shared, ...waiting, lane, maxRecords }))
    }
  }
  for (const delay of queues) {
    const group = { group: topicMoverGroup(delay), breaker: breaker(), delays: true }
    host(group, () => hostTopicMover({ log, delay, observer, breaker: group.breaker, now }))
  }
  const deadLetters = { group: DEAD_LETTERS_GROUP, breaker: breaker(), delays: false }
  host(deadLetters, () => hostDeadLetters({ ...options, ...settings, observer, breaker: deadLetters.breaker }))
  const activity = { group: ACTIVITY_GROUP, breaker: breaker(), delays: false }
  const { activityLingerMs: lingerMs, activityBlockRecords: maxRecords } = settings
  host(activity, () => hostActivity({ ...options, observer, breaker: activity.breaker, lingerMs, maxRecords, now }))
  const points = { group: METRICS_GROUP, breaker: breaker(), delays: false }
  host(points, () => hostMetrics({ ...options, observer, breaker: points.breaker }))
  const consumers = await waitFor(() => allOrNone(joins), { what: 'the log', logger })
  const relay = startOutboxRelay({ ...options, observer, intervalMs: settings.outboxEveryMs })
  const jobs = startJobRunner({ ...options, observer, kinds: jobKinds({ ...options, pipeline }) })
  const maintenance = startMaintenance({ ...options, observer })
  const keepingThemes = startKeepingThemes({ ...options, observer })
  const followingImports = startFollowingImports({ ...options, observer })
  const redrive = startRedrive({ ...options, pipeline, observer })

  measureGroups(metrics, log, watched, now)
  const health = createHealth({ log, groups: watched, stuckAfterMs: STUCK_AFTER_MS, now })
  const reporting = startReporting({ database: options.database, segments: hosted, health, figures, models, observer })
  return {
    health,
    stop: async () => {
      await Promise.all([
        reporting.stop(),
        pauses.stop(),
        relay.stop(),
        jobs.stop(),
        maintenance.stop(),
        keepingThemes.stop(),
        followingImports.stop(),
        redrive.stop(),
        ...consumers.map(consumer => consumer.stop()),
      ])
    },
  }
}

/** Every kind of job, one a line. */
const jobKinds = (dependencies: ProcessorsOptions & { readonly pipeline: Pipeline }): readonly JobDefinition[] => [
  createReplayJob(dependencies),
  createReEmbedJob(dependencies),
  createReScrubJob(dependencies),
  createReAnchorJob(dependencies),
  createReJudgeJob(dependencies),
  createCalibrateJob(dependencies),
  createCheckImportJob(dependencies),
  createExportJob(dependencies),
  createImportJob(dependencies),
  createReviewJob(dependencies),
  createLearnJob(dependencies),
  createFindThemesJob(dependencies),
  createTakeOutJob(dependencies),
  createEraseJob(dependencies),
]

/** Joins every group at once. When one join fails, leaves the groups that were joined. */
const allOrNone = async (joins: readonly (() => Promise<Consumer>)[]): Promise<readonly Consumer[]> => {
  const settled = await Promise.allSettled(joins.map(join => join()))
  const consumers = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = settled.find(result => result.status === 'rejected')
  if (failed === undefined) return consumers
  await Promise.all(consumers.map(consumer => consumer.stop()))
  throw failed.reason
}

/** Segments of this process: those that the settings name by their heads, or all. */
const hostedSegments = ({ segments }: Pipeline, { segments: wanted }: ProcessorSettings): readonly Segment[] => {
  const heads = segments.map(segment => segment.head)
  const unknown = wanted.find(head => !heads.includes(head))
  if (unknown !== undefined) {
    const message = `PIPELINE_SEGMENTS names '${unknown}', where no segment begins: the heads are ${heads.join(', ')}.`
    throw new AssayError('invalid_configuration', message)
  }
  return wanted.length === 0 ? segments : segments.filter(segment => wanted.includes(segment.head))
}
