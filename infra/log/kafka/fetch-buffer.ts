import type { EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs'
import { type Fetched, type FetchRequest, firstWithin } from '../partition-loop.ts'
import type { Offset, StoredRecord, TopicPartition } from '../port.ts'

/** Kafka's message as the port has it. Offsets stay far below 2^53. */
export const storedRecord = ({ topic, partition }: TopicPartition, message: KafkaMessage): StoredRecord => ({
  topic,
  partition,
  offset: Number(message.offset),
  timestamp: Number(message.timestamp),
  key: message.key === null ? null : message.key.toString(),
  value: message.value ?? new Uint8Array(),
  headers: textHeaders(message.headers ?? {}),
})

/** Other programs may send a header twice; the last value counts. */
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
  /** Control of kafkajs' fetching of this partition. */
  readonly seek: (offset: Offset) => void
  readonly pause: () => void
  readonly resume: () => void
}

export type FetchBuffer = ReturnType<typeof createFetchBuffer>

/**
 * How long kafkajs waits for a batch to be worked off, ms. kafkajs fetches no partition while a batch of any is being
 * handled: after this time the partition is paused and kafkajs continues with the others.
 */
const GRACE_MS = 100

/**
 * Tracks whether kafkajs fetches the partition, and whether it waits for a batch. States: paused (kafkajs skips the
 * partition), fetching, and waiting (kafkajs has handed over a batch). `begin` moves to waiting; after 100 ms waiting
 * becomes paused; `fetchMore` moves from either to fetching, `end` from waiting to fetching.
 */
const createHandover = ({ pause, resume }: Pick<FetchBufferOptions, 'pause' | 'resume'>) => {
  let isPaused = true
  let release = (): void => {}

  return {
    /** kafkajs has handed over a batch. Resolves when kafkajs may fetch again. */
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

    /** More records are wanted: kafkajs stops waiting and fetches the partition. */
    fetchMore(): void {
      if (isPaused) resume()
      isPaused = false
      release()
    },

    /** The batch is not needed any more: kafkajs stops waiting. */
    end(): void {
      release()
    },
  }
}

/**
 * Every record from `from` up to `next`, where kafkajs continues. Holds the records of the last answer, since a failed
 * batch is requested again, and the records that came since.
 */
interface Window {
  readonly records: readonly StoredRecord[]
  readonly from: Offset
  readonly next: Offset
}

/** The window's records from `offset` on; none when they are not in the window. */
const recordsFrom = (window: Window | null, offset: Offset): readonly StoredRecord[] =>
  window === null || offset < window.from ? [] : window.records.filter(record => record.offset >= offset)

/**
 * Turns kafkajs' push into a pull: kafkajs brings batches at any time, and the partition's loop fetches when it is
 * ready. A request of the loop is answered from the window (`serve`). When the window lacks the records, the request
 * waits, and kafkajs is sent to the offset (`fetchFrom`); `offer` then extends the window and answers.
 */
export const createFetchBuffer = (options: FetchBufferOptions) => {
  const { topic, partition, seek } = options
  const handover = createHandover(options)
  /** `low`: a fetch below it would make kafkajs overwrite the group's commit. */
  const watermarks = { high: options.highWatermark, low: 0 }
  /** Null until kafkajs was sent to an offset. */
  let window: Window | null = null
  let waiting: { readonly request: FetchRequest; readonly resolve: (fetched: Fetched) => void } | null = null
  /** The loop's last request, and the records after its answer that are here already. */
  let given: { readonly request: FetchRequest; readonly rest: readonly StoredRecord[] } | null = null
  let commit: EachBatchPayload['commitOffsetsIfNecessary'] | null = null

  const raiseHigh = (high: Offset): void => {
    watermarks.high = Math.max(watermarks.high, high)
  }

  /** Empties the window, and makes kafkajs fill it from an offset. */
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

  /** Answers the waiting request from the window; false when no record is there. */
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
   * True when the loop's next batch should be fetched while the loop works on this one. Only when the log has a whole
   * batch more: a batch of a few records costs as much as a full one, and more records come until the loop asks.
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
    /** The offset that the partition's loop waits for; null while it is busy. */
    awaited: (): Offset | null => (waiting === null ? null : (window?.next ?? null)),
    /** Commits for the member of the group that brought the newest batch. */
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

    /** Takes a batch from kafkajs. Resolves when kafkajs may bring the next. */
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
      // A broker reads the end of the partition before the records, so that later records lie behind that end.
      raiseHigh(window.next)
      if (given !== null) given = { ...given, rest: [...given.rest, ...fresh] }
      serve()
      if (!isNextWanted()) await handover.begin()
    },

    /** The member joined again and kept the partition: prevents kafkajs from going back to the last commit. */
    rejoined(): void {
      if (window !== null) seek(window.next)
    },

    /** Takes over offsets that a broker reported. */
    learn(high: Offset, low: Offset): void {
      raiseHigh(high)
      watermarks.low = low
    },

    /** The loop has ended: kafkajs stops waiting. */
    end(): void {
      answer([])
      handover.end()
    },
  }
}
