import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startEmbeddedLog } from '../../infra/log/embedded/index.ts'
import type { Log, StoredRecord } from '../../infra/log/port.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { type Lane, signalsTopic } from '../../schemas/events/topics.ts'
import { type HostedSegment, hostSegment } from './host-segment.ts'
import { createLaneScheduler } from './lane-scheduler.ts'
import type { Pipeline } from './pipeline.ts'
import { LONG_BUDGETS, segmentWork, signalCodec } from './testing.ts'
import { pipelineTopics } from './topics.ts'
import { createBreaker } from './wait-for-dependency.ts'

/** Runs a pipeline on a real log, for the framework's tests. */

/** An embedded log with the pipeline's topics. It ends with the test. */
export const startTestLog = async (test: TestContext, pipeline: Pipeline, signalPartitions = 1): Promise<Log> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-log-'))
  const { log, stop } = await startEmbeddedLog({ directory })
  test.after(async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  })
  const forever = 3_600_000
  const { delays } = segmentWork(pipeline, pipeline.segments[0]?.head ?? 'validate')
  await log.ensureTopics(
    pipelineTopics(pipeline, delays, {
      signalPartitions,
      activityPartitions: 1,
      personalRetentionMs: forever,
      retentionMs: forever,
    }),
  )
  return log
}

export const appendSignals = async (
  log: Log,
  head: StepName,
  signals: readonly SignalRecord[],
  lane: Lane = 'live',
): Promise<void> => {
  const records = signals.map(async signal => ({
    topic: signalsTopic(head, lane),
    key: signal.signal_id,
    value: await signalCodec.encode(signal),
  }))
  await log.append(await Promise.all(records))
}

/** Records of a topic in order of arrival, earlier ones included. The list grows. */
export const watchTopic = async (log: Log, topic: string): Promise<readonly StoredRecord[]> => {
  const records: StoredRecord[] = []
  await log.consume({
    group: `test.${topic}`,
    topics: [topic],
    maxRecords: 1000,
    onBatch: async ({ records: batch }) => {
      records.push(...batch)
      return { next: (batch.at(-1)?.offset ?? 0) + 1 }
    },
  })
  return records
}

/** Hosts a segment as `main.ts` does, with pauses short enough for a test. */
export const hostForTest = (log: Log, pipeline: Pipeline, head: StepName, known: Partial<HostedSegment> = {}) =>
  hostSegment({
    ...segmentWork(pipeline, head),
    log,
    breaker: createBreaker({ firstMs: 20, maxMs: 100 }),
    share: createLaneScheduler({ idleAfterMs: 0, bulkPart: 1, now: Date.now }),
    maxRecords: 100,
    isPaused: () => false,
    pace: LONG_BUDGETS,
    ...known,
  })
