import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Broker, Cluster } from 'kafkajs'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { createIdleFetch } from './idle-fetch.ts'
import { restWhileIdle } from './request-queue.ts'

restWhileIdle()

/** A connection that lets so many requests be under way at once. */
const createRequests = (maxInFlightRequests: number) => {
  const queue = new RequestQueue({
    maxInFlightRequests,
    requestTimeout: 15_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'test:9092',
    logger: { debug: () => {} },
    isConnected: () => true,
  })
  const sent: number[] = []
  const push = (correlationId: number): void =>
    queue.push({
      entry: { correlationId, resolve: () => {}, reject: () => {} },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    })
  return { queue, sent, push }
}

test('a connection with nothing to send sets no timer', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { queue, push } = createRequests(5)
  push(1)
  queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 })
  assert.equal(queue.throttleCheckTimeoutId, null)
})

test('what must wait is sent as soon as there is room, and after a broker wanted to hear nothing', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passedMs = 0
  let aheadMs = 0
  t.mock.method(performance, 'now', () => passedMs)
  t.mock.method(Date, 'now', () => passedMs + aheadMs)
  const pass = (milliseconds: number): void => {
    passedMs += milliseconds
    t.mock.timers.tick(milliseconds)
  }
  const { queue, sent, push } = createRequests(1)
  push(1)
  push(2)
  assert.deepEqual(sent, [1])
  queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 })
  assert.deepEqual(sent, [1, 2])

  queue.maybeThrottle(500)
  push(3)
  queue.fulfillRequest({ correlationId: 2, payload: null, size: 0 })
  pass(499)
  assert.deepEqual(sent, [1, 2])
  pass(20)
  assert.deepEqual(sent, [1, 2, 3])

  aheadMs = 400 * 86_400_000
  queue.maybeThrottle(500)
  push(4)
  queue.fulfillRequest({ correlationId: 3, payload: null, size: 0 })
  aheadMs = 0
  pass(520)
  assert.deepEqual(sent, [1, 2, 3, 4], 'a clock that was set back by a year keeps nothing from the broker')
})

/** A cluster of one broker that answers when the test says so, and how long each fetch was to wait. */
const createClusterDouble = () => {
  const waits: number[] = []
  const answer = Promise.withResolvers<unknown>()
  const fetch = mock.fn(({ maxWaitTime }: { readonly maxWaitTime: number }) => {
    waits.push(maxWaitTime)
    return answer.promise
  })
  const broker = { fetch } as unknown as Broker
  const cluster = { findBroker: async () => broker } as unknown as Cluster
  const fetchOnce = async () => (await cluster.findBroker({ nodeId: '0' })).fetch({ maxWaitTime: 200, topics: [] })
  return { cluster, waits, answer, fetchOnce }
}

test('a fetch waits longer while the consumer is idle, asked anew for each', async () => {
  const { cluster, waits, answer, fetchOnce } = createClusterDouble()
  let isIdle = true
  createIdleFetch(() => isIdle).attach(cluster)
  answer.resolve({ responses: ['a record'] })
  assert.deepEqual(await fetchOnce(), { responses: ['a record'] })
  isIdle = false
  await fetchOnce()
  assert.deepEqual(waits, [1000, 200])
})

test('the end of a consumer ends the fetch that waits, and those that come after', async () => {
  const { cluster, waits, answer, fetchOnce } = createClusterDouble()
  const idleFetch = createIdleFetch(() => true)
  idleFetch.attach(cluster)
  const waiting = fetchOnce()
  await new Promise(setImmediate)
  idleFetch.end()
  assert.deepEqual(await waiting, { responses: [] })
  assert.deepEqual(await fetchOnce(), { responses: [] })
  assert.equal(waits.length, 1)
  // The connection is closed under it: nobody is left to be told.
  answer.reject(new Error('Closed connection'))
})
