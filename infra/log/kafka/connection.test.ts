import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createSecureServer } from 'node:tls'
import { createLogger } from '../../runtime/logger.ts'
import { createKafkaLog } from './index.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

const addressOf = async (t: TestContext, server: Server): Promise<string> => {
  const open = new Set<{ destroy(): void }>()
  server.on('connection', socket => {
    open.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  // A server that listens on a host and port has an address of this kind.
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Why a client of these brokers does not reach them. */
const refusal = async (broker: string, tls: boolean): Promise<string> => {
  const log = createKafkaLog({ brokers: [broker], clientId: 'test', logger, tls, attempts: 0 })
  const error = await log.ensureTopics([]).then(
    () => assert.fail('it was reached'),
    reason => reason,
  )
  await log.close()
  assert.deepEqual([error.code, error.retriable], ['unavailable', true])
  return error.publicMessage
}

test('A program without TLS is told that the brokers expect it.', async t => {
  // It has no certificate, so it ends each handshake with an alert.
  const secure = createSecureServer()
  assert.match(await refusal(await addressOf(t, secure), false), /expect TLS at this port\. Set KAFKA_TLS=true\.$/)
})

test('A program with TLS is told that the brokers speak none.', async t => {
  const plain = createServer(socket => socket.on('data', () => socket.destroy()))
  assert.match(await refusal(await addressOf(t, plain), true), /speak no TLS at this port/)
})

test('Where nobody listens nothing is said of TLS.', async () => {
  for (const tls of [true, false]) assert.equal(await refusal('127.0.0.1:1', tls), 'The log cannot be reached.')
})
