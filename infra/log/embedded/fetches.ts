import type { Partition } from './catalogue.ts'
import type { Calls, Fetched } from './protocol.ts'
import { nothingFetched, type Records } from './records.ts'

type FetchRequest = Calls['fetch']['request']

interface OpenFetch {
  readonly request: FetchRequest
  readonly partition: Partition
  readonly answer: (fetched: Fetched) => void
}

/** The fetches that wait for a record. Nobody asks twice: an append answers them. */
export const createFetches = (records: Records) => {
  const open = new Map<number, OpenFetch>()

  const read = (partition: Partition, { offset, maxRecords, maxBytes }: FetchRequest): Fetched =>
    records.read(partition, offset, maxRecords, maxBytes)

  return {
    fetch(partition: Partition, request: FetchRequest): Promise<Fetched> {
      return new Promise(resolve => {
        if (request.offset < partition.nextOffset) {
          const fetched = read(partition, request)
          if (fetched.heads.length > 0) return resolve(fetched)
        }
        open.set(request.generation, { request, partition, answer: resolve })
      })
    },

    /** There is something new in these partitions. */
    wake(partitions: ReadonlySet<Partition>): void {
      for (const [generation, { request, partition, answer }] of open) {
        if (!partitions.has(partition) || request.offset >= partition.nextOffset) continue
        open.delete(generation)
        answer(read(partition, request))
      }
    },

    cancel(generation: number): void {
      const waiting = open.get(generation)
      if (waiting === undefined) return
      open.delete(generation)
      waiting.answer(nothingFetched(waiting.partition))
    },
  }
}
