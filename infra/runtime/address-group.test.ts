import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup } from './address-group.ts'

it('counts a subscriber’s whole IPv6 network as one, however its addresses are written', () => {
  const network = '2001:db8:1:2::/64'
  const written = [
    '2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd',
    '2001:0DB8:1:2:1:2:3:4',
    '2001:db8:1:2::',
    '2001:db8:1:2::7',
    '2001:db8:1:2::192.0.2.1',
    '2001:db8:1:2:1:2:192.0.2.1',
    '2001:db8:1:2::7%eth0',
  ]
  for (const address of written) assert.equal(addressGroup(address), network, address)
  assert.equal(addressGroup('2001:db8::2:0:0:0:1'), '2001:db8:0:2::/64')
  assert.equal(addressGroup('::1'), '0:0:0:0::/64')
  assert.equal(addressGroup('1::2'), '1:0:0:0::/64')
  assert.notEqual(addressGroup('2001:db8:1:3::1'), network)
})

it('counts an IPv4 address, and what is no address, as itself', () => {
  for (const address of ['192.0.2.1', '', 'unknown', '[2001:db8::1]:443', '1::2::3']) {
    assert.equal(addressGroup(address), address)
  }
})
