import type { EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs'
import { type Fetched, type FetchRequest, firstWithin } from '../partition-loop.ts'
import type { Offset, StoredRecord, TopicPartition } from '../port.ts'

/** A message of a partition as the port has it. Kafka's offsets stay far below 2^53. */
export const storedRecord = ({ topic, partition }: TopicPartition, message: KafkaMessage): StoredRecord => ({
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

interface FetchBufferOptions extends TopicPartition {
  readonly highWatermark: Offset
  /** Where and whether kafkajs fetches the partition. */
  readonly seek: (offset: Offset) => void
  readonly pause: () => void
  readonly resume: () => void
}

export type FetchBuffer = ReturnType<typeof createFetchBuffer>

/**
 * kafkajs fetches no partition while one of them is being handled. So a batch is handed over here and kafkajs goes on:
 * at once when the batch is worked off within this time, else without the partition until that is done.
 */
const GRACE_MS = 100

/** Whether kafkajs fetches the partition, and whether it waits for a batch that it has handed over. */
const createHandover = ({ pause, resume }: Pick<FetchBufferOptions, 'pause' | 'resume'>) => {
  let isPaused = true
  let release = (): void => {}

  return {
    /** kafkajs has handed a batch over. Resolves when it may fetch again. */
    begin: (): Promise<void> =>
      new Promise(resolve => {
        const timer = setTimeout(() => {
          isPaused = true
          pause()
          resolve()
        }, GRACE_MS)
        release = () => {
          clearTimeout(timer)
          release = () => {}
          resolve()
        }
      }),

    /** More of the partition is wanted: kafkajs waits no longer, and fetches it. */
    fetchMore(): void {
      if (isPaused) resume()
      isPaused = false
      release()
    },

    /** Nobody wants the batch any more: kafkajs waits no longer. */
    end(): void {
      release()
    },
  }
}

/**
 * Every record from `from` up to `next`, which is where kafkajs goes on: those of the last answer, for a batch that
 * fails is asked for again, and what has come since.
 */
interface Window {
  readonly records: readonly StoredRecord[]
  readonly from: Offset
  readonly next: Offset
}

/** The records from `offset` on; none when the window has not got it. */
const recordsFrom = (window: Window | null, offset: Offset): readonly StoredRecord[] =>
  window === null || offset < window.from ? [] : window.records.filter(record => record.offset >= offset)

/** Turns the batches that kafkajs brings when it likes into records that the partition's loop fetches when it likes. */
export const createFetchBuffer = (options: FetchBufferOptions) => {
  const { topic, partition, seek } = options
  const handover = createHandover(options)
  /** `low`: a fetch below it would make kafkajs overwrite the group's commit. */
  const watermarks = { high: options.highWatermark, low: 0 }
  /** Null while kafkajs has not been sent anywhere. */
  let window: Window | null = null
  let waiting: { readonly request: FetchRequest; readonly resolve: (fetched: Fetched) => void } | null = null
  /** What the loop was given last, and the records behind it that are here already. */
  let given: { readonly request: FetchRequest; readonly rest: readonly StoredRecord[] } | null = null
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | null = null

  const raiseHigh = (high: Offset): void => {
    watermarks.high = Math.max(watermarks.high, high)
  }

  /** Empties the window, and has kafkajs fill it from an offset on. */
  const fetchFrom = (offset: Offset): void => {
    if (window?.next !== offset) seek(Math.max(offset, watermarks.low))
    window = { records: [], from: offset, next: offset }
    given = null
    handover.fetchMore()
  }

  const answer = (records: readonly StoredRecord[]): void => {
    waiting?.resolve({ records, highWatermark: watermarks.high })
    waiting = null
  }

  /** Answers the loop with what is here; false when that is nothing. */
  const serve = (): boolean => {
    if (waiting === null) return false
    const { request } = waiting
    const held = recordsFrom(window, request.offset)
    if (held.length === 0) return false
    const records = firstWithin(held, request)
    given = { request, rest: held.slice(records.length) }
    answer(records)
    return true
  }

  /**
   * Whether to fetch the loop's next batch while it works on this one. Only where the log is known to have a whole one:
   * of the few records that have come by now a batch would cost as much as of those that come until the loop asks.
   */
  const isNextWanted = (): boolean => {
    if (window === null || given === null) return false
    const { request, rest } = given
    const isWhole = rest.length >= request.maxRecords || firstWithin(rest, request).length < rest.length
    return !isWhole && watermarks.high - window.next >= request.maxRecords
  }

  return {
    topic,
    partition,
    highWatermark: (): Offset => watermarks.high,
    /** What the partition's loop waits for, and null while it is busy. */
    awaited: (): Offset | null => (waiting === null ? null : (window?.next ?? null)),
    /** Commits as the member of the group that brought the newest batch. */
    commit: (): EachBatchPayload['commitOffsetsIfNecessary'] | null => commit,

    fetch(request: FetchRequest): Promise<Fetched> {
      return new Promise(resolve => {
        waiting = { request, resolve }
        if (!serve()) fetchFrom(request.offset)
        else if (isNextWanted()) handover.fetchMore()
      })
    },

    cancel(): void {
      answer([])
    },

    /** Takes a batch from kafkajs. Resolves when the next may come. */
    async offer({ batch, isStale, commitOffsetsIfNecessary }: EachBatchPayload): Promise<void> {
      if (isStale() || window === null) return
      commit = commitOffsetsIfNecessary
      const from = window.next
      const records = batch.messages.map(message => storedRecord({ topic, partition }, message))
      const fresh = records.filter(({ offset }) => offset >= from)
      raiseHigh(Number(batch.highWatermark))
      if (fresh.length === 0) return seek(from)
      const keptFrom = given?.request.offset ?? window.from
      window = {
        records: [...recordsFrom(window, keptFrom), ...fresh],
        from: keptFrom,
        next: (fresh.at(-1)?.offset ?? from) + 1,
      }
      // A broker notes the end of the partition before it reads: records that come in between are past the note.
      raiseHigh(window.next)
      if (given !== null) given = { ...given, rest: [...given.rest, ...fresh] }
      serve()
      if (!isNextWanted()) await handover.begin()
    },

    /** The member has joined the group anew and kept the partition: kafkajs would go back to the last commit. */
    rejoined(): void {
      if (window !== null) seek(window.next)
    },

    /** What the broker says about the partition. */
    learn(high: Offset, low: Offset): void {
      raiseHigh(high)
      watermarks.low = low
    },

    /** The loop is over: kafkajs waits no longer. */
    end(): void {
      answer([])
      handover.end()
    },
  }
}
