import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig, renderConfig } from '../runtime/config.ts'
import { parseValkeyUrl, VALKEY_CONFIG } from './config.ts'

const read = (VALKEY_URL: string) => parseConfig(VALKEY_CONFIG, { VALKEY_URL })

test('The address may be left out, and is shown without its password.', () => {
  assert.equal(read('').valkeyUrl, null)
  assert.equal(
    renderConfig(VALKEY_CONFIG, read('valkeys://limits:hunter2@valkey:6380/3')),
    'VALKEY_URL=valkeys://limits:********@valkey:6380/3',
  )
})

test('An address is taken apart, with what is not in it left at its default.', () => {
  const plain = { host: 'h', port: 6379, username: '', password: '', database: 0, tls: false }
  assert.deepEqual(parseValkeyUrl('redis://h'), plain)
  assert.deepEqual(parseValkeyUrl('valkey://h/'), plain)
  assert.deepEqual(parseValkeyUrl('rediss://h:1/2'), { ...plain, port: 1, database: 2, tls: true })
  assert.deepEqual(parseValkeyUrl('redis://:p%40ss@[::1]'), { ...plain, host: '::1', password: 'p@ss' })
})

test('Anything else stops the start, and its password is not repeated.', () => {
  for (const wrong of [
    'http://h',
    'redis://',
    'redis://h/x',
    'redis://h/0/1',
    'redis://h#a',
    'h:6379',
    'redis://u:%zz@h',
  ]) {
    assert.throws(() => read(wrong), { code: 'invalid_configuration' }, wrong)
  }
  assert.throws(
    () => read('redis://u:hunter2@h?db=1'),
    (error: Error) => !error.message.includes('hunter2'),
  )
})
