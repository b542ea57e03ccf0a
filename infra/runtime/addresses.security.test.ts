import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup, clientAddress, readableAddress } from './addresses.ts'

it('writes an IPv4 address that came through an IPv6 socket as IPv4', () => {
  assert.equal(readableAddress('0000:0000:0000:0000:0000:ffff:7f00:0001'), '127.0.0.1')
  assert.equal(readableAddress('::ffff:127.0.0.1'), '127.0.0.1')
  assert.equal(readableAddress('192.0.2.1'), '192.0.2.1')
  assert.equal(readableAddress('2001:db8::1'), '2001:db8::1')
})

it('believes the last address of the proxy’s header, or the socket where there is none', () => {
  assert.equal(
    clientAddress(() => '10.0.0.1', '198.51.100.7, 203.0.113.4'),
    '203.0.113.4',
  )
  for (const absent of [undefined, '', ' '])
    assert.equal(
      clientAddress(() => '10.0.0.1', absent),
      '10.0.0.1',
    )
})

it('counts a subscriber’s whole IPv6 network as one, however its addresses are written', () => {
  const network = [
    '2001:0db8:0000:0002:aaaa:bbbb:cccc:dddd',
    '2001:0db8:0000:0002:0000:0000:0000:0001',
    '2001:db8:0:2::',
    '2001:db8:0:2::1',
    '2001:DB8::2:0:0:0:7',
    '2001:db8:0:2:1::9%eth0',
    '2001:db8:0:2::192.0.2.1',
  ]
  assert.deepEqual(new Set(network.map(addressGroup)), new Set(['2001:db8:0:2::/64']))
  assert.notEqual(addressGroup('2001:db8:0:3::1'), addressGroup('2001:db8:0:2::1'))
  assert.equal(addressGroup('::1'), '0:0:0:0::/64')
})

it('counts an IPv4 address as itself, also one that came through an IPv6 socket', () => {
  for (const same of ['192.0.2.1', '::ffff:192.0.2.1', '0000:0000:0000:0000:0000:ffff:c000:0201']) {
    assert.equal(addressGroup(same), '192.0.2.1')
  }
  assert.equal(addressGroup('no address'), 'no address')
})
