import { isIPv6 } from 'node:net'
import { readableAddress } from './client-address.ts'

const NETWORK_GROUPS = 4

/**
 * Who an address belongs to, for a budget: an IPv4 address itself, the /64 of an IPv6 address, since one subscriber has all of it. Takes
 * IPv6 addresses in any of their forms (RFC 4291 section 2.2), with a zone too; what is no address counts as itself.
 */
export const addressGroup = (address: string): string => {
  const [plain = ''] = readableAddress(address).split('%', 1)
  if (!isIPv6(plain)) return plain === '' ? address : plain
  const [head = '', tail] = plain.split('::')
  const before = groupsOf(head)
  // What `::` leaves out; an IPv4 address at the end stands for two groups.
  const after = tail === undefined ? [] : groupsOf(tail)
  const dotted = plain.includes('.') ? 1 : 0
  const left = tail === undefined ? 0 : 8 - before.length - after.length - dotted
  const groups = [...before, ...Array.from({ length: left }, () => '0'), ...after]
  const network = groups.slice(0, NETWORK_GROUPS).map(group => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
