import type { Cluster, Kafka } from 'kafkajs'

/**
 * kafkajs' cluster, which speaks the protocol itself: for what its clients have no call for. Connects; `close` ends the connection.
 */
export const openCluster = async (kafka: Kafka): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> => {
  /** kafkajs shows its cluster to partition assigners only; this consumer never runs. */
  const captured: { cluster?: Cluster } = {}
  const consumer = kafka.consumer({
    groupId: 'peek',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        captured.cluster = cluster
        return {
          name: 'none',
          version: 0,
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
          assign: async () => [],
        }
      },
    ],
  })
  await consumer.connect()
  const { cluster } = captured
  if (cluster === undefined) throw new Error('kafkajs creates its partition assigners with the consumer.')
  return { cluster, close: () => consumer.disconnect() }
}
