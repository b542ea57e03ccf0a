import { eventually } from '../../runtime/testing.ts'
import type {
  Batch,
  BatchContext,
  ConsumeOptions,
  Consumer,
  Continuation,
  Log,
  OutgoingRecord,
  StoredRecord,
} from '../port.ts'
import type { Bench } from './harness.ts'

/** A door that stays shut until it is opened. */
export const createGate = (): { readonly passed: Promise<void>; readonly open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

let lastName = 0
/** A name that no other test uses. */
export const uniqueName = (what: string): string => {
  lastName += 1
  return `${what}-${lastName}`
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const record = (topic: string, text: string, key: string | null = 'k'): OutgoingRecord => ({
  topic,
  key,
  value: encoder.encode(text),
})

export const textOf = ({ value }: StoredRecord): string => decoder.decode(value)

/** The offset after the last record of the batch. */
export const afterBatch = ({ records }: Batch): number => (records.at(-1)?.offset ?? -1) + 1

export const commitAll = async (batch: Batch, context: BatchContext): Promise<Continuation> => {
  await context.commit(afterBatch(batch))
  return { next: afterBatch(batch) }
}

/** A client, and a topic of one partition that has these texts; `group` is a name that no other test uses. */
export const startTopic = async (bench: Bench, name: string, texts: readonly string[]) => {
  const topic = uniqueName(name)
  const { log } = await bench.connect()
  await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }])
  await log.append(texts.map(text => record(topic, text)))
  return { log, topic, group: uniqueName('group') }
}

export interface Reader {
  readonly consumer: Consumer
  readonly batches: Batch[]
  readonly texts: () => string[]
}

/** Consumes, and keeps what came. The handler commits everything unless told otherwise. */
export const startReader = async (
  log: Log,
  options: Pick<ConsumeOptions, 'group' | 'topics'> & Partial<ConsumeOptions>,
): Promise<Reader> => {
  const batches: Batch[] = []
  const consumer = await log.consume({
    maxRecords: 100,
    ...options,
    onBatch: (batch, context) => {
      batches.push(batch)
      return (options.onBatch ?? commitAll)(batch, context)
    },
  })
  return { consumer, batches, texts: () => batches.flatMap(batch => batch.records.map(textOf)) }
}

/** For each partition of a topic with that many a key that belongs there. */
export const keyPerPartition = async (log: Log, partitions: number): Promise<string[]> => {
  const topic = uniqueName('probe')
  await log.ensureTopics([{ name: topic, partitions, retentionMs: 3_600_000 }])
  await log.append(Array.from({ length: partitions * 20 }, (_, index) => record(topic, '', `key ${index}`)))
  const keys: string[] = []
  const reader = await startReader(log, { group: uniqueName('group'), topics: [topic] })
  await eventually('each partition got a key', () => {
    for (const { partition, records } of reader.batches) keys[partition] = records[0]?.key ?? ''
    return Object.keys(keys).length === partitions
  })
  await reader.consumer.stop()
  return keys
}
