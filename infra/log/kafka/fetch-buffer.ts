import type { EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs'
import type { Fetched, FetchRequest } from '../partition-loop.ts'
import type { Offset, StoredRecord, TopicPartition } from '../port.ts'

/** A message of a partition as the port has it. Kafka's offsets stay far below 2^53. */
const storedRecord = ({ topic, partition }: TopicPartition, message: KafkaMessage): StoredRecord => ({
  topic,
  partition,
  offset: Number(message.offset),
  timestamp: Number(message.timestamp),
  key: message.key === null ? null : message.key.toString(),
  value: message.value ?? new Uint8Array(),
  headers: textHeaders(message.headers ?? {}),
})

/** Other programs may send a header twice; the last one counts. */
const textHeaders = (headers: IHeaders): Record<string, string> => {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value
    if (last !== undefined) texts[name] = last.toString()
  }
  return texts
}

interface FeedOptions extends TopicPartition {
  readonly highWatermark: Offset
  /** Where and whether kafkajs fetches the partition. */
  readonly seek: (offset: Offset) => void
  readonly pause: () => void
  readonly resume: () => void
}

export type FetchBuffer = ReturnType<typeof createFetchBuffer>

/**
 * kafkajs fetches no partition while one of them is being handled. So a batch is handed over here and kafkajs goes on: at once
 * when the batch is worked off within this time, else without the partition until that is done.
 */
const GRACE_MS = 100

/** Turns the batches that kafkajs brings when it likes into records that the partition's loop fetches when it likes. */
export const createFetchBuffer = (options: FeedOptions) => {
  const { topic, partition, seek, pause, resume } = options
  let buffer: readonly StoredRecord[] = []
  /** The buffer has every record from here up to `fetchNext`. */
  let bufferedFrom: Offset | null = null
  /** Where kafkajs goes on; null when it has to be told. */
  let fetchNext: Offset | null = null
  let highWatermark = options.highWatermark
  /** A fetch below it would make kafkajs overwrite the group's commit. */
  let lowWatermark = 0
  let paused = true
  let waiting: { readonly request: FetchRequest; readonly resolve: (fetched: Fetched) => void } | null = null
  let onBatchDone = (): void => {}
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | null = null

  const slice = ({ offset, maxRecords, maxBytes }: FetchRequest): StoredRecord[] => {
    const first = buffer.findIndex(record => record.offset >= offset)
    const taken: StoredRecord[] = []
    let bytes = 0
    for (const record of first === -1 ? [] : buffer.slice(first, first + maxRecords)) {
      bytes += record.value.byteLength
      if (taken.length > 0 && bytes > maxBytes) break
      taken.push(record)
    }
    return taken
  }

  const isBuffered = (offset: Offset): boolean =>
    bufferedFrom !== null && fetchNext !== null && offset >= bufferedFrom && offset < fetchNext

  const fetchFrom = (offset: Offset): void => {
    buffer = []
    bufferedFrom = null
    if (fetchNext !== offset) seek(Math.max(offset, lowWatermark))
    fetchNext = offset
    if (paused) resume()
    paused = false
    onBatchDone()
  }

  const answer = (records: readonly StoredRecord[]): void => {
    waiting?.resolve({ records, highWatermark })
    waiting = null
  }

  /** Resolves when kafkajs may fetch again. */
  const handedOver = (): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(() => {
        paused = true
        pause()
        resolve()
      }, GRACE_MS)
      onBatchDone = () => {
        clearTimeout(timer)
        onBatchDone = () => {}
        resolve()
      }
    })

  return {
    topic,
    partition,
    highWatermark: (): Offset => highWatermark,
    /** What the partition's loop waits for, and null while it is busy. */
    awaited: (): Offset | null => (waiting === null ? null : fetchNext),
    /** Commits as the member of the group that brought the newest batch. */
    commit: (): EachBatchPayload['commitOffsetsIfNecessary'] | null => commit,

    fetch(request: FetchRequest): Promise<Fetched> {
      return new Promise(resolve => {
        waiting = { request, resolve }
        const records = isBuffered(request.offset) ? slice(request) : []
        if (records.length > 0) answer(records)
        else fetchFrom(request.offset)
      })
    },

    cancel(): void {
      answer([])
    },

    /** Takes a batch from kafkajs. Resolves when the next may come. */
    async offer({ batch, isStale, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
      if (isStale() || fetchNext === null) return
      commit = commitOffsetsIfNecessary
      const from = fetchNext
      const records = batch.messages.map(message => storedRecord({ topic, partition }, message))
      const fresh = records.filter(({ offset }) => offset >= from)
      highWatermark = Math.max(highWatermark, Number(batch.highWatermark))
      if (fresh.length === 0) return seek(from)
      buffer = fresh
      bufferedFrom = from
      fetchNext = (fresh.at(-1)?.offset ?? from) + 1
      // A broker notes the end of the partition before it reads: records that come in between are past the note.
      highWatermark = Math.max(highWatermark, fetchNext)
      const accepted = handedOver()
      if (waiting !== null) answer(slice(waiting.request))
      await accepted
    },

    /** The member has joined the group anew and kept the partition: kafkajs would go back to the last commit. */
    rejoined(): void {
      if (fetchNext !== null) seek(fetchNext)
    },

    /** What the broker says about the partition. */
    learn(high: Offset, low: Offset): void {
      highWatermark = Math.max(highWatermark, high)
      lowWatermark = low
    },

    /** The loop is over: kafkajs waits no longer. */
    end(): void {
      answer([])
      onBatchDone()
    },
  }
}
