import type { ConfigOf } from '../infra/runtime/config.ts'
import { CPU_BUDGET_MS } from '../infra/runtime/cpu-budget.ts'
import { duration, integer, optional, type Setting, text } from '../infra/runtime/settings.ts'
import { HOUR_MS, MINUTE_MS } from '../schemas/domain/durations.ts'
import { STEPS, type StepName } from '../schemas/domain/vocabulary.ts'
import { parseRetryDelays, type RetryDelay } from './framework/topics.ts'
import { DEFAULT_HEADS } from './topology.ts'

interface About<Item> {
  readonly env: string
  readonly doc: string
  readonly default: readonly Item[]
}

const steps = (about: About<StepName>): Setting<readonly StepName[]> => ({
  ...about,
  allowed: `steps separated by commas, from ${STEPS.join(', ')}`,
  secret: false,
  parse: text => {
    const names = text.split(',').map(name => name.trim())
    const known = STEPS.filter(step => names.includes(step))
    return known.length === new Set(names).size ? known : undefined
  },
  write: names => names.join(','),
})

const delays = (about: About<RetryDelay>): Setting<readonly RetryDelay[]> => ({
  ...about,
  allowed: 'lengths of time separated by commas, each a number with ms, s, m or h, such as 10s,1m,10m',
  secret: false,
  parse: parseRetryDelays,
  write: list => list.map(delay => delay.name).join(','),
})

export const PROCESSORS_CONFIG = {
  heads: steps({
    env: 'PIPELINE_HEADS',
    doc: 'The steps that have a topic of their own; the steps behind each get their batches in memory. Every processor needs the same.',
    default: DEFAULT_HEADS,
  }),
  segments: steps({
    env: 'PIPELINE_SEGMENTS',
    doc: 'The heads whose segments this process serves, so that each can be scaled alone. None of them named: all. The same as --segments.',
    default: [],
  }),
  retryDelays: delays({
    env: 'RETRY_DELAYS',
    doc: 'How long a signal waits after each failure that may pass. After the last it becomes a dead letter.',
    default: [
      { name: '10s', ms: 10_000 },
      { name: '1m', ms: MINUTE_MS },
      { name: '10m', ms: 10 * MINUTE_MS },
    ],
  }),
  redriveDelays: delays({
    env: 'REDRIVE_DELAYS',
    doc: 'How long after each of its deaths a dead letter that may yet succeed is driven again. After the last it waits for a person.',
    default: [
      { name: '15m', ms: 15 * MINUTE_MS },
      { name: '45m', ms: 45 * MINUTE_MS },
      { name: '2h', ms: 2 * HOUR_MS },
      { name: '6h', ms: 6 * HOUR_MS },
      { name: '15h', ms: 15 * HOUR_MS },
    ],
  }),
  signalPartitions: integer({
    env: 'SIGNAL_PARTITIONS',
    doc: 'Partitions of each signals topic: how many processors can share the work of a segment. Counts when a topic is made.',
    default: 4,
    min: 1,
    max: 256,
  }),
  activityPartitions: integer({
    env: 'ACTIVITY_PARTITIONS',
    doc: 'Partitions of each of the topics of activity and of metric points. Counts when a topic is made.',
    default: 2,
    min: 1,
    max: 64,
  }),
  personalRetentionMs: duration({
    env: 'PERSONAL_RETENTION',
    doc: 'How long the log keeps records that may hold personal data, once they are worked off.',
    default: 6 * HOUR_MS,
  }),
  retentionMs: duration({
    env: 'LOG_RETENTION',
    doc: 'How long the log keeps scrubbed records and activity, once they are worked off.',
    default: 72 * HOUR_MS,
  }),
  batchRecords: integer({
    env: 'BATCH_RECORDS',
    doc: 'At most this many signals of the live lane in a batch.',
    default: 200,
    min: 1,
    max: 3000,
  }),
  bulkBatchRecords: integer({
    env: 'BULK_BATCH_RECORDS',
    doc: 'At most this many signals of the bulk lane in a batch. Smaller, so that live signals never wait long.',
    default: 50,
    min: 1,
    max: 5000,
  }),
  stepCpuBudgetMs: integer({
    env: 'STEP_CPU_BUDGET_MS',
    doc: 'How many milliseconds of CPU a step may use for one signal before it is ended there, and the signal becomes a dead letter, too_costly. An ordinary one needs less than one.',
    default: CPU_BUDGET_MS,
    min: 100,
    max: 5000,
  }),
  neighboursMegabytes: integer({
    env: 'NEIGHBOURS_MEMORY_MB',
    doc: 'About how much memory a processor takes for the sign bits of the workspaces that it works for, some 530 bytes a signal in large ones. Those that were not asked about for the longest time are read again when they are needed.',
    default: 1024,
    min: 16,
    max: 65_536,
  }),
  wordsMegabytes: integer({
    env: 'WORDS_MEMORY_MB',
    doc: 'About how much memory a processor takes for the words of the workspaces that it works for, some 10 bytes a word of a signal. Those that were not in use for ten minutes are read again when they are needed; where those in use need more, the largest keep the words of their newer signals alone.',
    default: 1024,
    min: 16,
    max: 65_536,
  }),
  snapshotsDirectory: optional(
    text({
      env: 'INDEX_SNAPSHOTS_DIR',
      doc: 'Where a processor keeps the graphs of sign bits of large workspaces, some 360 bytes a signal, so that the next one to start need not build them. Without it they are built from the database; `all` keeps them beside its data. Processors may share it.',
    }),
  ),
  activityLingerMs: duration({
    env: 'ACTIVITY_LINGER',
    doc: 'How long activity is gathered before it is written to ClickHouse.',
    default: 1000,
  }),
  activityBlockRecords: integer({
    env: 'ACTIVITY_BLOCK_RECORDS',
    doc: 'At most this many events in one insert into ClickHouse.',
    default: 10_000,
    min: 1,
    max: 50_000,
  }),
  outboxEveryMs: duration({
    env: 'OUTBOX_POLL',
    doc: 'How often the outbox of the query API is looked at while it is empty.',
    default: 500,
  }),
}

export type ProcessorSettings = ConfigOf<typeof PROCESSORS_CONFIG>
