import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup, clientAddress, NO_ADDRESS, readableAddress } from './addresses.ts'

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
})

/** What a proxy may write, and whose budget it is. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['192.0.2.1:4711', '192.0.2.1'],
  ['192.0.2.1:4712', '192.0.2.1'],
  [' 192.0.2.1:80 ', '192.0.2.1'],
  ['"192.0.2.1:47011"', '192.0.2.1'],
  ['for=192.0.2.1', '192.0.2.1'],
  ['For="192.0.2.1:47011";proto=https;by=203.0.113.43', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['[2001:db8:0:2::7]', '2001:db8:0:2::/64'],
  ['[2001:db8:0:2::7]:4711', '2001:db8:0:2::/64'],
  ['[2001:db8:0:2::7%eth0]:4711', '2001:db8:0:2::/64'],
  ['for="[2001:db8:0:2::9]:4711"', '2001:db8:0:2::/64'],
  ['2001:db8:0:2::7%25eth0', '2001:db8:0:2::/64'],
  ['fe80::1%1', 'fe80:0:0:0::/64'],
  ...['unknown', '_hidden', 'for=_gazonk', '192.0.2.256', '192.0.2.1:port', '192.0.2.1:123456', '[192.0.2.1', '[]:1']
    .concat(['client.example:4711', '1:2:3', '2001:db8::1::2', '%', '"', '0x7f.1', 'a'.repeat(10_000)])
    .map(written => [written, NO_ADDRESS] as const),
]

it('finds the same budget whatever a proxy writes around an address, and one for all that is none', () => {
  for (const [written, budget] of WRITTEN) {
    const client = clientAddress(() => '10.0.0.1', `198.51.100.7, ${written}`)
    assert.equal(addressGroup(client), budget, written)
    assert.equal(addressGroup(written), budget, written)
  }
})

it('finds no new budget with a new port, whatever it is', () => {
  for (const host of ['192.0.2.1', '[2001:db8::1]']) {
    const groups = new Set<string>()
    for (let port = 1; port < 65_536; port += 97) groups.add(addressGroup(clientAddress(() => '', `${host}:${port}`)))
    assert.equal(groups.size, 1, host)
  }
})
