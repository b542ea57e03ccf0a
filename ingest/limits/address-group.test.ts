import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressGroup } from './address-group.ts'

it('counts a subscriber’s whole IPv6 network as one', () => {
  assert.equal(addressGroup('2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd'), addressGroup('2001:0db8:0001:0002:1:2:3:4'))
  assert.notEqual(addressGroup('2001:0db8:0001:0002:1:2:3:4'), addressGroup('2001:0db8:0001:0003:1:2:3:4'))
  assert.equal(addressGroup('192.0.2.1'), '192.0.2.1')
})
