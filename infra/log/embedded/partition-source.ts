import type { PartitionSource } from '../partition-loop.ts'
import type { Connection } from './connection.ts'
import { unpackValues } from './packing.ts'
import type { Assigned, Fetched } from './protocol.ts'

/** The calls for a partition that the member holds. */
export const partitionSource = (connection: Connection, assigned: Assigned): PartitionSource => {
  const { topic, partition, generation, position, committed } = assigned

  const recordsOf = ({ heads, ...packed }: Fetched) => {
    const values = unpackValues(packed)
    return heads.map(({ headers, ...head }, index) => {
      const value = values[index] ?? new Uint8Array()
      // The log stores headers as it got them from `append`.
      return { topic, partition, ...head, headers: JSON.parse(headers) as Record<string, string>, value }
    })
  }

  return {
    topic,
    partition,
    position,
    committed,
    async fetch(request) {
      const fetched = await connection.call('fetch', { generation, ...request })
      return { records: recordsOf(fetched), highWatermark: fetched.highWatermark }
    },
    cancel() {
      connection.call('cancel', { generation }).catch(() => {})
    },
    async commit(commit) {
      await connection.call('commit', { generation, ...commit })
    },
    async heartbeat() {
      await connection.call('heartbeat', null)
    },
    highWatermark: () => connection.call('high_watermark', { generation }),
  }
}
