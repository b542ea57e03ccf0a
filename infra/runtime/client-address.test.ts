import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup, clientAddress, readableAddress } from './address.ts'

it('writes an IPv4 address that came through an IPv6 socket as IPv4', () => {
  assert.equal(readableAddress('0000:0000:0000:0000:0000:ffff:7f00:0001'), '127.0.0.1')
  assert.equal(readableAddress('192.0.2.1'), '192.0.2.1')
})

it('counts a subscriber’s whole IPv6 network as one', () => {
  assert.equal(addressGroup('2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd'), addressGroup('2001:0db8:0001:0002:1:2:3:4'))
  assert.notEqual(addressGroup('2001:0db8:0001:0002:1:2:3:4'), addressGroup('2001:0db8:0001:0003:1:2:3:4'))
  assert.equal(addressGroup('192.0.2.1'), '192.0.2.1')
})

it('believes the last address of the proxy’s header, or the socket where there is none', () => {
  assert.equal(clientAddress('10.0.0.1', '198.51.100.7, 203.0.113.4'), '203.0.113.4')
  for (const absent of [undefined, '', ' ']) assert.equal(clientAddress('10.0.0.1', absent), '10.0.0.1')
})
