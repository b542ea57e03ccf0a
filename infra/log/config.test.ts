import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseConfig } from '../runtime/config.ts'
import { KAFKA_CONFIG, kafkaConnection } from './config.ts'

const REQUIRED = { KAFKA_BROKERS: 'kafka-1:9092, [::1]:9093', SCHEMA_REGISTRY_URL: 'http://user:hush@registry/' }
const connectionFor = (env: Record<string, string>) =>
  kafkaConnection(parseConfig(KAFKA_CONFIG, { ...REQUIRED, ...env }))

it('brokers are a list of hosts with ports', () => {
  const { brokers, tls, sasl, schemaRegistryUrl } = connectionFor({})
  assert.deepEqual(brokers, ['kafka-1:9092', '[::1]:9093'])
  assert.deepEqual({ tls, sasl }, { tls: false, sasl: null })
  assert.equal(schemaRegistryUrl, 'http://user:hush@registry')
  for (const wrong of ['kafka', 'kafka-1:9092,', 'kafka://kafka:9092', 'kafka:port']) {
    assert.throws(() => connectionFor({ KAFKA_BROKERS: wrong }), /KAFKA_BROKERS is ".*" *\. It must be addresses/)
  }
})

it('a user signs in with a password, which is refused without one', () => {
  assert.deepEqual(connectionFor({ KAFKA_USERNAME: 'assay', KAFKA_PASSWORD: 'hush', KAFKA_TLS: 'true' }).sasl, {
    mechanism: 'scram-sha-512',
    username: 'assay',
    password: 'hush',
  })
  assert.throws(() => connectionFor({ KAFKA_USERNAME: 'assay' }), /KAFKA_PASSWORD is not/)
})

it('a certificate of our own is read with its key, and refused without TLS, its key or its file', () => {
  const file = new URL(import.meta.url).pathname
  const both = { KAFKA_TLS: 'true', KAFKA_TLS_CERTIFICATE: file, KAFKA_TLS_KEY: file }
  assert.match(connectionFor(both).certificate?.key ?? '', /a certificate of our own/)
  assert.equal(connectionFor({ KAFKA_TLS: 'true' }).certificate, null)
  for (const missing of ['KAFKA_TLS', 'KAFKA_TLS_CERTIFICATE', 'KAFKA_TLS_KEY']) {
    const { [missing]: _, ...rest } = Object.fromEntries(Object.entries(both))
    assert.throws(() => connectionFor(rest), /go together, with KAFKA_TLS=true/)
  }
  assert.throws(() => connectionFor({ ...both, KAFKA_TLS_KEY: '/nowhere' }), /KAFKA_TLS_KEY names cannot be read/)
})
