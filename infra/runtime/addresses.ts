import { isIPv6 } from 'node:net'

const MAPPED_HEX = /^(?:0{1,4}:){5}ffff:([0-9a-f]{4}):([0-9a-f]{4})$/i
const MAPPED_DOTTED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * The address of a socket in its usual form: an IPv4 address that came in through an IPv6 socket is written as IPv4,
 * whether uWebSockets.js (in full) or Node (`::ffff:192.0.2.1`) tells it.
 */
export const readableAddress = (address: string): string => {
  const dotted = MAPPED_DOTTED.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const mapped = MAPPED_HEX.exec(address)
  if (!mapped) return address
  const bytes = Buffer.from(`${mapped[1]}${mapped[2]}`, 'hex')
  return [...bytes].join('.')
}

/**
 * The client behind a proxy: the last address of the header that the proxy sets, or the socket's own, for which the
 * kernel is asked.
 */
export const clientAddress = (socketAddress: () => string, forwarded: string | undefined): string =>
  forwarded?.split(',').at(-1)?.trim() || readableAddress(socketAddress())

const NETWORK_GROUPS = 4

/**
 * Who an address belongs to, for a budget: an IPv4 address itself, the /64 of an IPv6 address, since one subscriber has
 * all of it. Takes IPv6 addresses in any of their forms (RFC 4291 section 2.2), with a zone too; what is no address
 * counts as itself.
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
