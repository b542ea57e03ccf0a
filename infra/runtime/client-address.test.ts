import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clientAddress, readableAddress } from './client-address.ts'

it('writes an IPv4 address that came through an IPv6 socket as IPv4', () => {
  assert.equal(readableAddress('0000:0000:0000:0000:0000:ffff:7f00:0001'), '127.0.0.1')
  assert.equal(readableAddress('::ffff:127.0.0.1'), '127.0.0.1')
  assert.equal(readableAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(readableAddress('2001:db8::1'), '2001:db8::1')
})

it('believes the last address of the proxy’s header, or the socket where there is none', () => {
  assert.equal(clientAddress('10.0.0.1', '198.51.100.7, 203.0.113.4'), '203.0.113.4')
  for (const absent of [undefined, '', ' ']) assert.equal(clientAddress('10.0.0.1', absent), '10.0.0.1')
})
