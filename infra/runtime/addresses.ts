import { isIP, isIPv6 } from 'node:net'

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

/** `[2001:db8::1]`, with a port behind it or not, and `192.0.2.1:4711`: what several proxies write. */
const IN_BRACKETS = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([^:]*):\d{1,5}$/

/**
 * The address in what a proxy wrote of its client: without a port, brackets, a zone and the quotes and the `for=` of
 * `Forwarded` (RFC 7239). Null for what is no address, such as `unknown` or a name.
 */
const addressIn = (written: string): string | null => {
  const [element = ''] = written.split(';', 1)
  const value = element
    .trim()
    .replace(/^for=/i, '')
    .replace(/^"(.*)"$/, '$1')
    .trim()
  const [plain = ''] = (IN_BRACKETS.exec(value)?.[1] ?? WITH_PORT.exec(value)?.[1] ?? value).split('%', 1)
  const address = readableAddress(plain)
  return isIP(address) === 0 ? null : address
}

/** Whoever a proxy writes no address of. They share one budget, as each could otherwise write itself a new one. */
export const NO_ADDRESS = 'no address'

/**
 * The client behind a proxy: the last address of the header that the proxy sets, or the socket's own, for which the
 * kernel is asked. `NO_ADDRESS` where the proxy wrote something else there.
 */
export const clientAddress = (socketAddress: () => string, forwarded: string | undefined): string => {
  const written = forwarded?.split(',').at(-1)?.trim() ?? ''
  return written === '' ? readableAddress(socketAddress()) : (addressIn(written) ?? NO_ADDRESS)
}

const NETWORK_GROUPS = 4

/**
 * Who an address belongs to, for a budget: an IPv4 address itself, the /64 of an IPv6 address, since one subscriber has
 * all of it. Takes addresses in any form that proxies write them in; all that is no address is one group.
 */
export const addressGroup = (address: string): string => {
  const plain = addressIn(address)
  if (plain === null) return NO_ADDRESS
  if (!isIPv6(plain)) return plain
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
