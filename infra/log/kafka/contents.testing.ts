import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import type { LogContents, TopicDefinition } from '../port.ts'
import { createMemoryRegistry } from '../testing-registry.ts'
import { openKafkaContents } from './contents.ts'

const definition = (name: string): TopicDefinition => ({ name, partitions: 1, retentionMs: 600_000 })

/** What a move sees of brokers: the topics of today's settings, and of settings that were other ones once. */
export const describeContents = (broker: string): void => {
  describe('The topics of an installation on Kafka', () => {
    const opened = async (work: (contents: LogContents) => Promise<void>): Promise<void> => {
      const contents = await openKafkaContents({
        brokers: [broker],
        clientId: 'contents',
        logger: pino({ level: 'silent' }),
        registry: createMemoryRegistry(),
        subjects: [],
        definitionsOf: existing =>
          ['moved.today', ...existing.filter(name => name.startsWith('moved.left'))].map(definition),
      })
      try {
        await work(contents)
      } finally {
        await contents.close()
      }
    }
    const record = { key: null, headers: {}, timestamp: 0, value: Buffer.from('waits') }
    const place = { topic: 'moved.left', partition: 0 }

    it('have those that another installation brings, whatever today’s settings name', () =>
      opened(async contents => {
        await contents.makeTopics([definition('moved.today'), definition('moved.left')])
        await contents.add(place, [{ ...record, ...place, offset: 0 }])
        assert.deepEqual(
          (await contents.partitions()).map(({ topic, next }) => [topic, next]),
          [
            ['moved.today', 0],
            ['moved.left', 1],
          ],
        )
      }))

    it('have those that the brokers still hold records of, so that these move along', () =>
      opened(async contents => {
        const topics = await contents.topics()
        assert.deepEqual(topics.map(({ name }) => name).toSorted(), ['moved.left', 'moved.today'])
        const [first] = await contents.read(place, 0, 1000)
        assert.equal(Buffer.from(first?.value ?? []).toString(), 'waits')
      }))
  })
}
