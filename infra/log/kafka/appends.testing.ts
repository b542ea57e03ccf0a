import assert from 'node:assert/strict'
import { connect as connectSocket, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import kafkajs from 'kafkajs'
import pino from 'pino'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { eventually } from '../../runtime/testing.ts'
import { record, startReader } from '../conformance/reading.ts'
import { createKafkaLog } from './index.ts'
import { connectTo } from './testing.ts'

const logger = pino({ level: 'silent' })

/** A line on which every third answer of a broker is lost, and the connection with it. */
const lossyLine = () => {
  let answers = 0
  let partitionLost = 0
  let isLossy = false
  const socketFactory = ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket => {
    const socket = connectSocket({ host, port }, onConnect)
    const emit = socket.emit.bind(socket)
    socket.emit = (event: string, ...values: unknown[]): boolean => {
      if (event !== 'data' || !isLossy) return emit(event, ...values)
      answers += 1
      if (answers % 3 !== 0) return emit(event, ...values)
      partitionLost += 1
      socket.destroy(new Error('The line is cut.'))
      return true
    }
    return socket
  }
  return {
    socketFactory,
    partitionLost: () => partitionLost,
    setLossy: (lossy: boolean) => {
      isLossy = lossy
    },
  }
}

/** What is written to a broker, whatever becomes of its answers. */
export const describeAppends = (broker: string): void => {
  describe('writing to brokers', { concurrency: true }, () => {
    test('Where answers are lost, what is acknowledged is there once and in order, and nothing is there twice.', async t => {
      const line = lossyLine()
      const log = createKafkaLog({ brokers: [broker], clientId: 'lossy', logger, socketFactory: line.socketFactory })
      t.after(() => log.close())
      await log.ensureTopics([{ name: 'lossy', partitions: 3, retentionMs: HOUR_MS }])
      await log.append([record('lossy', 'first')])
      line.setLossy(true)
      const acknowledged: string[] = []
      const write = async (writer: string): Promise<void> => {
        for (let number = 0; number < 15; number++) {
          const text = `${writer}:${number}`
          const isStored = await log.append([record('lossy', text, writer)]).then(
            () => true,
            error => {
              assert.equal(error.retriable, true)
              return false
            },
          )
          if (isStored) acknowledged.push(text)
        }
      }
      await Promise.all(['a', 'b', 'c', 'd'].map(write))
      line.setLossy(false)
      assert.ok(acknowledged.length > 0 && line.partitionLost() > 0)
      const reader = await startReader(connectTo([broker]).log, { group: 'lossy', topics: ['lossy'] })
      t.after(() => reader.consumer.stop())
      await eventually('all was read', async () => {
        const lag = await log.lag('lossy')
        return lag.length === 3 && lag.every(({ committed, highWatermark }) => committed === highWatermark)
      })
      const stored = reader.texts()
      assert.equal(new Set(stored).size, stored.length)
      const isStored = new Set(stored)
      assert.deepEqual(
        acknowledged.filter(text => !isStored.has(text)),
        [],
      )
      for (const writer of ['a', 'b', 'c', 'd']) {
        const numbers = stored.filter(text => text.startsWith(`${writer}:`)).map(text => Number(text.slice(2)))
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        )
      }
    })

    test('Programs that start at the same moment create the topics once, and each can write at once.', async t => {
      const clients = [1, 2, 3, 4].map(() => connectTo([broker]))
      t.after(() => Promise.all(clients.map(({ log }) => log.close())))
      const topics = ['race-1', 'race-2', 'race-3']
      const definitions = topics.map(name => ({ name, partitions: 2, retentionMs: HOUR_MS }))
      await Promise.all(
        clients.map(async ({ log }) => {
          await log.ensureTopics(definitions)
          await log.append(topics.map(topic => record(topic, 'a')))
        }),
      )
      const reader = await startReader(connectTo([broker]).log, { group: 'race', topics })
      t.after(() => reader.consumer.stop())
      await eventually('all was read', () => reader.texts().length === clients.length * topics.length)
      assert.equal(reader.consumer.assignment().length, topics.length * 2)
    })

    test('A topic gets a cap for its age and its size, and keeps what an operator set.', async t => {
      const { log } = connectTo([broker])
      const admin = new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.NOTHING }).admin()
      await admin.connect()
      t.after(() => Promise.all([admin.disconnect(), log.close()]))
      const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: 'capped' }
      const settings = async (): Promise<Record<string, string>> => {
        const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] })
        const entries = resources[0]?.configEntries ?? []
        return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]))
      }
      const define = (retentionMs: number) => log.ensureTopics([{ name: 'capped', partitions: 1, retentionMs }])
      // A broker tells what was set a moment later.
      const isSet = async (name: string, value: string | number) => (await settings())[name] === `${value}`
      await define(HOUR_MS)
      await eventually('its age is capped', () => isSet('retention.ms', 169 * HOUR_MS))
      const { 'retention.bytes': bytes } = await settings()
      assert.ok(Number(bytes) > 0)
      const change = (configEntries: { readonly name: string; readonly value: string }[]) =>
        admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] })
      await change([
        { name: 'compression.type', value: 'gzip' },
        { name: 'retention.ms', value: '1' },
      ])
      await eventually('an operator has changed it', () => isSet('retention.ms', 1))
      await define(2 * HOUR_MS)
      await eventually('the definition holds', () => isSet('retention.ms', 170 * HOUR_MS))
      assert.equal((await settings())['compression.type'], 'gzip')
      assert.equal((await settings())['retention.bytes'], bytes)

      const room = `${2 * Number(bytes)}`
      await change([{ name: 'retention.bytes', value: room }])
      await eventually('there is more room', () => isSet('retention.bytes', room))
      await define(HOUR_MS)
      await eventually('the definition holds again', () => isSet('retention.ms', 169 * HOUR_MS))
      assert.equal((await settings())['retention.bytes'], room)
    })
  })
}
